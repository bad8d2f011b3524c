/** What a run changed on disk, and the user's permanent answers: written by hand, because no run of the sample writes such files. */
import type { ApprovalEntry, RunFiles, RunFileText } from "../../generated/api";
import { asked } from "./asked";
import type { Disk } from "./disk";

const SKILLS = "/opt/skill-workbench/skills";

export const APPROVALS: ApprovalEntry[] = [
    entry("unit-converter", "scripts", "sandbox", true),
    entry("unit-converter", "commands", "sandbox", true),
    entry("log-analyzer", "scripts", "sandbox", false),
    { ...entry("cleaner", "scripts", "never", true), folder: "/home/ada/downloads/cleaner" },
];

function entry(name: string, program: ApprovalEntry["program"], answer: ApprovalEntry["answer"], holds: boolean): ApprovalEntry {
    return { name, folder: `${SKILLS}/${name}`, program, answer, holds, there: true, at: 1_795_000_000_000 };
}

const BEFORE = "# Report\n\nOne kilogram is about 2.2 pounds.\n\nSource: the table.\n";
const AFTER = "# Report\n\nOne kilogram is about **2.20462** pounds.\n\nSource: the conversion table.\n";

export const FILES_OF_RUN: RunFiles = {
    turns: [
        {
            known: "recorded",
            files: [
                { path: "out/table.csv", change: "created", size: 18, unkept: null, saveable: true },
                { path: "out/chart.png", change: "created", size: 20_480, unkept: "binary", saveable: true },
                { path: "out/report.md", change: "changed", size: AFTER.length, unkept: null, saveable: true },
                { path: "notes.txt", change: "deleted", size: 12, unkept: null, saveable: false },
            ],
            more: 0,
            partial: false,
            skills: [
                { name: "log-analyzer", same: true },
                { name: "unit-converter", same: true },
            ],
        },
    ],
    folder: "/home/ada/.local/state/skill-workbench/runs/1",
    outside: [],
};

export function fileOfRun(disk: Disk, path: string): RunFileText {
    switch (path) {
        case "out/report.md":
            return {
                change: "changed",
                before: BEFORE,
                after: AFTER,
                unkept: null,
                pieces: asked(disk, "text_diff", { a: BEFORE, b: AFTER }),
            };
        case "notes.txt":
            return { change: "deleted", before: "1 kg = ? lb\n", after: null, unkept: null, pieces: [] };
        case "out/chart.png":
            return { change: "created", before: null, after: null, unkept: "binary", pieces: [] };
        default:
            return { change: "created", before: null, after: "kg,lb\n1,2.20462\n", unkept: null, pieces: [] };
    }
}
