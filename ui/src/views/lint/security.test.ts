import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { FindingDto, SecurityDto, SecurityVerdict } from "../../generated/api";
import { setHost } from "../../host";
import { fakeHost } from "../../host/fake";
import { setLocale } from "../../i18n";
import { editor } from "../../state/editor.svelte";
import { skills } from "../../state/skills.svelte";
import Security from "./Security.svelte";
import VerdictSign from "./VerdictSign.svelte";

const SKILL = "/home/ada/work/skills/log-analyzer";
const SCRIPT = `${SKILL}/scripts/window.py`;
const at = (line: number) => ({ from: 0, to: 4, line, column: 1 });

const sent: FindingDto = {
    rule: "exfil-env-dump",
    severity: "error",
    message: "this sends all environment variables",
    messageZh: "这里会发送全部环境变量",
    problem: null,
    path: SCRIPT,
    range: at(5),
    fix: null,
    steps: [
        { path: SCRIPT, range: at(4), message: "reads all environment variables", messageZh: "读取全部环境变量" },
        { path: SCRIPT, range: at(5), message: "sends it over the network", messageZh: "通过网络发送" },
    ],
    fingerprint: "1",
};
const quoted: FindingDto = {
    ...sent,
    rule: "inject-ignore-instructions",
    severity: "warning",
    message: "`ignore all` is quoted",
    messageZh: "`ignore all` 是引用",
    path: `${SKILL}/SKILL.md`,
    range: at(9),
    steps: [],
    fingerprint: "2",
};

const name = (path: string): string => path.slice(SKILL.length + 1);
const judged = (verdict: SecurityVerdict, findings: FindingDto[]): SecurityDto => ({
    skill: SKILL,
    verdict,
    evidence: findings.map((finding) => ({ finding, listed: finding === sent })),
});
const texts = (id: string): (string | undefined)[] =>
    screen.queryAllByTestId(id).map((each) => each.textContent.replaceAll(/\s+/g, " ").trim());

beforeEach(async () => {
    const fake = fakeHost();
    setHost(fake);
    fake.disk.files.set(SCRIPT, "import os\n");
    await skills.load();
});

afterEach(() => {
    editor.files.forEach((file) => editor.drop(file));
    cleanup();
    setLocale("en");
});

it("shows a verdict with its evidence and the path of private data", () => {
    render(Security, { security: judged("dangerous", [sent, quoted]), name });
    expect(screen.getByTestId("security").dataset.verdict).toBe("dangerous");
    expect(texts("security-verdict")).toEqual(["Security: dangerous"]);
    expect(texts("evidence")).toEqual([
        "Error This sends all environment variables scripts/window.py:5",
        "Warning ignore all is quoted SKILL.md:9 · not in the list below",
    ]);
    expect(texts("evidence-step")).toEqual([
        "scripts/window.py:4 reads all environment variables",
        "scripts/window.py:5 sends it over the network",
    ]);
});

it("says it in Chinese, too", () => {
    setLocale("zh-CN");
    render(Security, { security: judged("look", [quoted]), name });
    expect(texts("security-verdict")).toEqual(["安全：使用前请检查"]);
    expect(texts("evidence")).toEqual(["警告 ignore all 是引用 SKILL.md:9 · 未在下方列出"]);
});

it("leads to the place of a step", async () => {
    render(Security, { security: judged("dangerous", [sent]), name });
    await fireEvent.click(screen.getAllByTestId("evidence-step")[0]!);
    await expect.poll(() => editor.active?.path).toBe(SCRIPT);
});

it("shows nothing of a skill that is clear or has no verdict", () => {
    render(Security, { security: judged("clear", []), name });
    render(Security, { security: null, name });
    expect(screen.queryByTestId("security")).toBeNull();
});

it("has a sign for lists that says the verdict", () => {
    render(VerdictSign, { verdict: "look" });
    expect(screen.getByTestId("verdict-sign").textContent).toBe("Security: look at it before you use it");
});
