/** Checks and fixes of the fake: of a whole skill, as the editor has its texts. */
import type { CheckArgs, FindingDto, Fixed, Severity, SkillCounts, TextCheck } from "../../generated/api";
import { check } from "./check";
import type { Disk } from "./disk";

export function checkIn(disk: Disk, args: CheckArgs): TextCheck {
    const checked = check(args.path, args.text);
    const skill = disk.skillOf(args.path);
    const findings = skill === null ? checked.findings : disk.findings(skill, textsOf(args));
    return { ...checked, findings: findings.filter(({ rule }) => disk.rules.find((known) => known.id === rule)?.setting !== "off") };
}

export function fixIn(disk: Disk, args: CheckArgs): Fixed {
    const texts = textsOf(args);
    const fixable = checkIn(disk, args).findings.filter((finding) => finding.fix?.applicability === "safe");
    const paths = [...new Set(fixable.map((finding) => finding.path))];
    const text = (path: string): string => (texts.get(path) ?? disk.files.get(path) ?? "").replace(/[ \t]+$/gm, "");
    return { texts: paths.map((path) => ({ path, text: text(path) })), fixes: fixable.length };
}

export function tally(findings: readonly FindingDto[]): Omit<SkillCounts, "skill"> {
    const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
    return { errors: count("error"), warnings: count("warning"), infos: count("info") };
}

function textsOf(args: CheckArgs): Map<string, string> {
    return new Map([...args.unsaved, args].map(({ path, text }) => [path, text]));
}
