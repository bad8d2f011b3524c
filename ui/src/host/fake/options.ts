/** A few options of every harness, read from and written to a project file by plain lines. */
import type { Commands, OptionDto, OptionForm, OptionValue } from "../../generated/api";
import type { Disk } from "./disk";
import { failure } from "./failure";

type Told = Omit<OptionDto, "value" | "set">;

const help = (en: string, zh: string): { en: string; zh: string } => ({ en, zh });

const OPTIONS: readonly Told[] = [
    {
        name: "skillsInstructionPrompt",
        kind: { type: "text" },
        nullable: true,
        default: null,
        help: help("`SkillsInstructionPrompt`: must contain `{skills}`.", "`SkillsInstructionPrompt`：必须包含 `{skills}`。"),
    },
    {
        name: "scriptApproval",
        kind: { type: "flag" },
        nullable: false,
        default: false,
        help: help(
            "`ScriptApproval`: run_skill_script needs the user's approval in the framework itself.",
            "`ScriptApproval`：框架自身要求用户批准 run_skill_script。",
        ),
    },
    {
        name: "autoApproval",
        kind: {
            type: "choice",
            choices: [
                { value: "none", help: null },
                {
                    value: "readOnly",
                    help: help(
                        "`ReadOnlyToolsAutoApprovalRule`: load_skill and read_skill_resource.",
                        "load_skill 和 read_skill_resource。",
                    ),
                },
                { value: "all", help: help("`AllToolsAutoApprovalRule`.", "所有工具。") },
            ],
        },
        nullable: false,
        default: "none",
        help: help("The provider's auto-approval rule that is in force.", "生效的自动批准规则。"),
    },
    {
        name: "allowedResourceExtensions",
        kind: { type: "texts" },
        nullable: true,
        default: null,
        help: help("`AllowedResourceExtensions`, each with its dot.", "资源的扩展名，每个都带点。"),
    },
    {
        name: "contextWindow",
        kind: { type: "whole" },
        nullable: false,
        default: 200_000,
        help: help("Tokens of the model's window.", "模型窗口的 token 数。"),
    },
    {
        name: "folders",
        kind: { type: "other" },
        nullable: false,
        default: "{}",
        help: help("`UseFileSkill` with options of its own, by folder.", "带有自己选项的 `UseFileSkill`，按文件夹。"),
    },
    {
        name: "editor",
        kind: { type: "flag" },
        nullable: true,
        default: null,
        help: help("The tool `editor`; `null`: as the variant.", "工具 `editor`；`null`：按变体。"),
    },
];

export function formOf(disk: Disk, { harness, unsaved }: Commands["harness_options"]["args"]): OptionForm {
    const path = `${disk.folders.at(-1)?.path ?? "/home/ada"}/workbench.yaml`;
    const text = unsaved.find((draft) => draft.path === path)?.text ?? disk.files.get(path);
    const said = linesOf(text ?? "", harness);
    const options = OPTIONS.map((option): OptionDto => {
        const set = said.get(option.name);
        return { ...option, set: set !== undefined, value: set === undefined ? option.default : JSON.parse(set) };
    });
    return { path, exists: text !== undefined, shadowed: [], options };
}

export function editOption({ text, harness, option, value }: Commands["option_edit"]["args"]): string {
    const said = linesOf(text, harness);
    const written = writtenAs(value);
    if (option === "contextWindow" && written?.startsWith("-") === true) {
        throw failure({ code: "invalid", message: "workbench.yaml:3:20: expected a whole number", hint: null, path: null, why: null });
    }
    if (written === null) {
        said.delete(option);
    } else {
        said.set(option, written);
    }
    const others = text.replace(/^harnesses:\n(?: .*\n)*/m, "");
    const lines = [...said].map(([name, each]) => `    ${name}: ${each}\n`).join("");
    return said.size === 0 ? others : `${others}harnesses:\n  ${harness}:\n${lines}`;
}

function writtenAs(value: OptionValue): string | null {
    switch (value.type) {
        case "default":
            return null;
        case "value":
            return JSON.stringify(value.value);
        case "yaml":
            return JSON.stringify(value.text);
    }
}

function linesOf(text: string, harness: string): Map<string, string> {
    const block = new RegExp(`^  ${harness}:\\n((?:    .*\\n)*)`, "m").exec(text)?.[1] ?? "";
    const lines = [...block.matchAll(/^ {4}(\w+): (.*)$/gm)];
    return new Map(lines.map(([, name, value]) => [name ?? "", value ?? ""]));
}
