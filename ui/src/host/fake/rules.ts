/** A few rules, and the one whose findings the fake can fix. */
import type { FindingDto, Group, ProblemKind, RuleDto, Severity } from "../../generated/api";
import { range } from "./range";

/** The rules behind what reading a skill finds. */
export const PROBLEM_RULES: Partial<Record<ProblemKind["type"], string>> = {
    frontmatterMissing: "frontmatter-missing",
    frontmatterUnclosed: "frontmatter-unclosed",
    keyMissing: "name-missing",
    keyEmpty: "field-empty",
    keyTooLong: "field-too-long",
    nameInvalid: "name-chars",
    nameNotFolder: "name-dir-mismatch",
    bodyEmpty: "body-empty",
};

export const RULES: readonly RuleDto[] = [
    rule("frontmatter-missing", "form", "error", "No frontmatter", "缺少前置元数据"),
    rule("frontmatter-unclosed", "form", "error", "Frontmatter is not closed", "前置元数据没有结束"),
    rule("name-missing", "form", "error", "No name", "缺少名称"),
    rule("name-chars", "form", "error", "Name has characters that it must not have", "名称含有不允许的字符", { fix: "unsafe" }),
    rule("name-dir-mismatch", "form", "warning", "Name is not the folder's", "名称与文件夹不一致"),
    rule("field-empty", "form", "error", "Field is empty", "字段为空"),
    rule("field-too-long", "form", "error", "Field is too long", "字段过长"),
    rule("trailing-space", "form", "info", "Spaces at the end of a line", "行尾有空格", { fix: "safe" }),
    rule("body-empty", "instructions", "warning", "No instructions", "没有说明"),
    rule("heading-jump", "instructions", "info", "Heading skips a level", "标题跳级", { on: false }),
    rule("broken-link", "links", "error", "Link to a file that is not there", "链接的文件不存在", { fix: "unsafe" }),
];

/** Lines of a text that end in spaces. */
export function trailingSpaces(path: string, text: string): FindingDto[] {
    return [...text.matchAll(/[ \t]+$/gm)].map((match) => {
        const place = range(text, match.index, match.index + match[0].length);
        return {
            rule: "trailing-space",
            severity: "info",
            message: "the line ends in spaces",
            messageZh: "行尾有空格",
            problem: null,
            path,
            range: place,
            fix: { title: "delete the spaces", titleZh: "删除这些空格", applicability: "safe", edits: [{ path, range: place, text: "" }] },
            fingerprint: `trailing-space ${path} ${match[0].length}`,
        };
    });
}

/** With fingerprints that tell the same finding on two lines apart. */
export function settled(findings: readonly FindingDto[]): FindingDto[] {
    return findings.map((finding, at) => {
        const earlier = findings.slice(0, at).filter((other) => other.fingerprint === finding.fingerprint).length;
        return { ...finding, fingerprint: `${finding.fingerprint} ${earlier}` };
    });
}

function rule(id: string, group: Group, severity: Severity, title: string, titleZh: string, more: Partial<RuleDto> = {}): RuleDto {
    return {
        id,
        group,
        severity,
        on: true,
        setting: null,
        title,
        titleZh,
        what: `What \`${id}\` looks for.`,
        whatZh: `\`${id}\` 检查的内容。`,
        why: "Because it matters.",
        whyZh: "因为这很重要。",
        source: "agentskills.io specification",
        fix: null,
        bad: [{ path: "SKILL.md", text: "---\nname: Bad Name\n---\n" }],
        good: [{ path: "SKILL.md", text: "---\nname: good-name\n---\n" }],
        ...more,
    };
}
