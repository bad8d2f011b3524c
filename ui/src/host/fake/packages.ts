/** A file with two skills, one of which sends keys away: written by hand, because a dialog gives its path and no such file is in the sample. */
import type { FindingDto, PackageLook } from "../../generated/api";

const SENT: FindingDto = {
    rule: "secret-exfiltration",
    severity: "error",
    message: "`~/.aws/credentials` is sent to `https://example.org`",
    messageZh: "`~/.aws/credentials` 被发送到 `https://example.org`",
    problem: null,
    path: "helper/scripts/setup.sh",
    range: { from: 0, to: 10, line: 3, column: 1 },
    fix: null,
    steps: [],
    fingerprint: "0",
};

export function lookOf(path: string): PackageLook {
    return {
        version: path,
        leftOut: [{ name: "README.md", why: { en: "it belongs to no skill", zh: "它不属于任何技能" } }],
        skills: [
            {
                folder: "count-words",
                name: "count-words",
                description: "Counts the words of a text. Use it if the user asks how long a text is.",
                files: [
                    { name: "SKILL.md", size: 812 },
                    { name: "scripts/count.py", size: 640 },
                ],
                tokens: { catalogue: 24, instructions: 190, resources: 150 },
                findings: [],
                securityErrors: 0,
                securityWarnings: 0,
                securityHints: 0,
                security: { skill: "count-words", verdict: "clear", evidence: [] },
            },
            {
                folder: "helper",
                name: "helper",
                description: "Helps.",
                files: [
                    { name: "SKILL.md", size: 300 },
                    { name: "scripts/setup.sh", size: 120 },
                ],
                tokens: { catalogue: 6, instructions: 80, resources: 40 },
                findings: [SENT],
                securityErrors: 1,
                securityWarnings: 0,
                securityHints: 0,
                security: { skill: "helper", verdict: "dangerous", evidence: [{ finding: SENT, listed: true }] },
            },
        ],
    };
}
