/** What five frameworks make of the sample's files: short, and true to what each of them does. */
import type {
    HarnessInfo,
    InspectedSkill,
    InspectedTool,
    Inspection,
    Origin,
    ProjectChoice,
    QuirkDto,
    QuirkKind,
    Skipped,
    TextMark,
    Worded,
} from "../../generated/api";
import { tokens } from "./disk";
import { SAMPLE_FOLDERS } from "./files";
import { cataloguePlaces } from "./places";

/** What the project file says to begin with; tests change it. */
export const BEGIN: ProjectChoice = { harness: null, model: null };

/** A name is the same in both languages. */
function both(en: string, zh = en): Worded {
    return { en, zh };
}

export const HARNESSES: HarnessInfo[] = [
    {
        id: "agent-framework",
        title: "Microsoft Agent Framework",
        group: "framework",
        runs: true,
        variants: [
            {
                id: "seed",
                title: both(".NET, as described", ".NET，按文章所述"),
                source: both("Artech, “AgentSkillsProvider”, 2026-06-18; Microsoft.Agents.AI sources"),
                verified: false,
                iterations: null,
                failedRounds: null,
            },
            {
                id: "dotnet-1.17",
                title: both(".NET 1.17"),
                source: both("Microsoft.Agents.AI 1.17.0 sources", "Microsoft.Agents.AI 1.17.0 源码"),
                verified: false,
                iterations: null,
                failedRounds: null,
            },
            {
                id: "python-1.13",
                title: both("Python 1.13"),
                source: both("agent-framework-core 1.13.0, run"),
                verified: true,
                iterations: null,
                failedRounds: null,
            },
            {
                id: "python-1.23",
                title: both("Python 1.23"),
                source: both("agent-framework-core 1.23.0, run"),
                verified: true,
                iterations: null,
                failedRounds: null,
            },
        ],
    },
    {
        id: "eino",
        title: "Eino ADK",
        group: "framework",
        runs: true,
        variants: [
            {
                id: "seed",
                title: both("skill middleware"),
                source: both("adk/middlewares/skill as printed in the article"),
                verified: false,
                iterations: null,
                failedRounds: null,
            },
            {
                id: "newest",
                title: both("skill middleware, newest"),
                source: both("cloudwego/eino, July 2026, run"),
                verified: true,
                iterations: null,
                failedRounds: null,
            },
        ],
    },
    {
        id: "learn-claude-code",
        title: "Learn Claude Code",
        group: "framework",
        runs: true,
        variants: [
            {
                id: "seed",
                title: both("OpenAI loop", "OpenAI 循环"),
                source: both("the tutorial's code, run"),
                verified: true,
                iterations: null,
                failedRounds: null,
            },
            {
                id: "upstream",
                title: both("upstream course"),
                source: both("shareAI-lab/learn-claude-code sources"),
                verified: false,
                iterations: null,
                failedRounds: null,
            },
        ],
    },
    {
        id: "strands",
        title: "Strands Agents",
        group: "framework",
        runs: true,
        variants: [
            {
                id: "seed",
                title: both("re-implemented Skill tool"),
                source: both("skill_tool.py as printed in the article, run"),
                verified: true,
                iterations: null,
                failedRounds: null,
            },
            {
                id: "demo-repo",
                title: both("demo repository"),
                source: both("xiehust demo, December 2025, run"),
                verified: true,
                iterations: null,
                failedRounds: null,
            },
            {
                id: "vended-1.62",
                title: both("official plugin 1.62"),
                source: both("strands-agents 1.62.0, run"),
                verified: true,
                iterations: null,
                failedRounds: null,
            },
        ],
    },
    {
        id: "agentscope",
        title: "AgentScope",
        group: "framework",
        runs: true,
        variants: [
            {
                id: "seed",
                title: both("Java SkillBox"),
                source: both("AgentScope-Java SkillBox as printed in the article"),
                verified: false,
                iterations: null,
                failedRounds: null,
            },
            {
                id: "java-2.0.3",
                title: both("Java 2.0.3"),
                source: both("agentscope-java 2.0.3-SNAPSHOT, run"),
                verified: true,
                iterations: null,
                failedRounds: null,
            },
            {
                id: "python-2.0.11",
                title: both("Python 2.0.11"),
                source: both("agentscope 2.0.11, run"),
                verified: true,
                iterations: null,
                failedRounds: null,
            },
        ],
    },
    {
        id: "gemini-cli",
        title: "Gemini CLI",
        group: "client",
        runs: true,
        variants: [
            {
                id: "0.61",
                title: both("0.61.0"),
                source: both("@google/gemini-cli 0.61.0 from npm, run", "npm 上的 @google/gemini-cli 0.61.0，实际运行"),
                verified: true,
                iterations: null,
                failedRounds: null,
            },
        ],
    },
];

/** A folder with a `SKILL.md`. `name` and `description` are `null` where there is no frontmatter. */
type Found = { path: string; folder: string; text: string; name: string | null; description: string | null; body: string; files: string[] };

type Sent = Pick<Inspection, "instructions" | "tools" | "skipped" | "log" | "quirks" | "refused"> & {
    loaded: { found: Found; id: string; content: string }[];
};

export function inspectionOf(
    files: ReadonlyMap<string, string>,
    harness: string,
    variant: string | null,
    prompt: string | null,
    neutral: boolean | null = null,
): Inspection {
    const known = HARNESSES.find((each) => each.id === harness);
    const chosen = known?.variants.find((each) => each.id === variant) ?? known?.variants[0];
    const sent = send(harness, find(files));
    const loadedWith = LOADED_WITH[harness] ?? "load_skill";
    const skills = sent.loaded.map(({ found, id, content }) => ({ ...inspected(files, found, id, content), loadedWith }));
    const sum = (tier: keyof InspectedSkill["tokens"]): number => skills.reduce((all, skill) => all + skill.tokens[tier], 0);
    const request = requestBody(sent, prompt);
    const shown = { instructions: sent.instructions, tools: sent.tools, skills };
    return {
        harness,
        variant: chosen?.id ?? "seed",
        verified: chosen?.verified ?? false,
        agent: null,
        ...shown,
        groups: [],
        catalogue: cataloguePlaces(shown),
        skipped: sent.skipped,
        log: sent.log,
        quirks: sent.quirks,
        refused: sent.refused,
        tokens: {
            instructions: tokens(sent.instructions?.text ?? ""),
            tools: sent.tools.reduce((all, each) => all + each.tokens, 0),
            tiers: { catalogue: sum("catalogue"), instructions: sum("instructions"), resources: sum("resources") },
            tokenizer: "o200k_base",
        },
        request,
        curl: `curl https://api.openai.com/v1/chat/completions \\\n  -H "Authorization: Bearer $OPENAI_API_KEY" \\\n  -d '${request}'`,
        neutral: neutral === true ? [{ shown: "/skills", real: "/home/ada/work/skills" }] : [],
    };
}

/** The tool that loads a skill, where it is not `load_skill`. */
const LOADED_WITH: Record<string, string> = {
    eino: "skill",
    strands: "Skill",
    agentscope: "load_skill_through_path",
    "gemini-cli": "activate_skill",
};

function send(harness: string, found: readonly Found[]): Sent {
    switch (harness) {
        case "eino":
            return eino(found);
        case "learn-claude-code":
            return learnClaudeCode(found);
        case "strands":
            return strands(found);
        case "agentscope":
            return agentScope(found);
        case "gemini-cli":
            return geminiCli(found);
        default:
            return agentFramework(found);
    }
}

function agentFramework(all: readonly Found[]): Sent {
    const wrong = (skill: Found): string | null => {
        if (skill.name === null) return "SKILL.md does not contain valid YAML frontmatter delimited by '---'";
        if (skill.name.length > 64) return "Skill name must be 64 characters or fewer.";
        return skill.name === skill.folder ? null : `Skill name '${skill.name}' must match the folder '${skill.folder}'.`;
    };
    const good = byName(all.filter((skill) => wrong(skill) === null));
    const text = new Marked();
    text.put("You are a helpful assistant.\n", { type: "user" });
    text.put("You have access to skills containing domain-specific knowledge and capabilities.\n\n<available_skills>\n", FRAMEWORK);
    for (const skill of good) {
        text.put("  <skill>\n    <name>", FRAMEWORK)
            .skill(skill, "name")
            .put("</name>\n    <description>", FRAMEWORK)
            .skill(skill, "description");
        text.put("</description>\n  </skill>\n", FRAMEWORK);
    }
    text.put("</available_skills>\n\nWhen a task aligns with a skill's domain, use `load_skill` first.\n", FRAMEWORK);
    return {
        instructions: good.length === 0 ? null : text.done(),
        tools:
            good.length === 0
                ? []
                : [
                      tool("load_skill", plain("Loads the full instructions for a specific skill."), { skillName: {} }),
                      tool("read_skill_resource", plain("Reads a file associated with a skill, such as references or assets."), {
                          skillName: {},
                          resourceName: {},
                      }),
                      tool("run_skill_script", plain("Runs a script associated with a skill."), {
                          skillName: {},
                          scriptName: {},
                          arguments: { type: "object" },
                      }),
                  ],
        loaded: good.map((skill) => ({ found: skill, id: skill.folder, content: skill.text })),
        skipped: skippedBy(all, wrong),
        log: [`Discovered ${all.length} potential skills`, `Successfully loaded ${good.length} skills`],
        quirks: [],
        refused: null,
    };
}

function eino(all: readonly Found[]): Sent {
    const bad = all.find((skill) => skill.name === null);
    if (bad !== undefined) {
        const manifest = `${bad.path}/SKILL.md`;
        const refused = `failed to list skills: failed to load skill from ${manifest}: failed to parse frontmatter: file does not start with frontmatter delimiter`;
        return {
            instructions: null,
            tools: [],
            loaded: [],
            skipped: [],
            log: [],
            refused,
            quirks: [quirk("oneBadSkillFailsAll", bad, bad.text.split("\n")[0] ?? "")],
        };
    }
    const text = new Marked();
    text.put("You are a helpful assistant.\n", { type: "user" });
    text.put(
        "\n# Skills System\n\n**How to Use Skills (Progressive Disclosure):**\n\n1. **Recognize when a skill applies**: check if the user's task matches a skill's description\n2. **Read the skill's full instructions**: use the `skill` tool to load it\n",
        FRAMEWORK,
    );
    const about = new Marked();
    about.put(
        "Execute a skill within the main conversation\n\n<skills_instructions>\nWhen users ask you to perform tasks, check if any of the available skills below can help complete the task more effectively.\n</skills_instructions>\n\n\n<available_skills>\n",
        FRAMEWORK,
    );
    for (const skill of all) {
        about
            .put("<skill>\n<name>\n", FRAMEWORK)
            .skill(skill, "name")
            .put("\n</name>\n<description>\n", FRAMEWORK)
            .skill(skill, "description");
        about.put("\n</description>\n</skill>\n", FRAMEWORK);
    }
    about.put("</available_skills>\n", FRAMEWORK);
    return {
        instructions: text.done(),
        tools: [
            tool("skill", about.done(), { skill: { description: 'The skill name (no arguments). E.g., "pdf" or "xlsx"' } }),
            tool("read_file", plain("Reads a file from the filesystem."), {
                file_path: {},
                offset: { type: "integer" },
                limit: { type: "integer" },
            }),
            tool("execute", plain("Executes a shell command."), { command: {} }),
        ],
        loaded: all.map((skill) => ({
            found: skill,
            id: skill.name ?? "",
            content: `Launching skill: ${skill.name ?? ""}\nBase directory for this skill: ${skill.path}\n\n${skill.body.trim()}`,
        })),
        skipped: [],
        log: [],
        quirks: all
            .filter((skill) => skill.body.includes("\t"))
            .map((skill) => quirk("lostBeforeTab", skill, /^.*\t/m.exec(skill.body)?.[0] ?? "\t")),
        refused: null,
    };
}

function learnClaudeCode(all: readonly Found[]): Sent {
    const text = new Marked();
    text.put(
        "You are a coding assistant at /home/ada/work.\nUse the todo tool to plan multi-step tasks. Mark in_progress before starting, completed when done.\nPrefer tools over prose.\nYour thinking and response must be the same language as the user's question.\n\nSkills available:\n",
        FRAMEWORK,
    );
    for (const skill of all) {
        text.put(" - ", FRAMEWORK).skill(skill, "name").put(": ", FRAMEWORK).skill(skill, "description").put("\n", FRAMEWORK);
    }
    return {
        instructions: text.done(),
        tools: [
            tool("bash", plain("Run a shell command."), { command: {} }),
            tool("todo", plain("Update the task list. Track progress on multi-step tasks."), { items: { type: "array" } }),
            tool("load_skill", plain("Load a skill file by name"), { name: { description: "The name of the skill to load" } }),
            tool("task", plain("Spawn a subagent with fresh context. It shares the filesystem but not conversation history."), {
                prompt: {},
            }),
        ],
        loaded: all.map((skill) => ({
            found: skill,
            id: skill.name ?? skill.folder,
            content: `<skill name="${skill.name ?? skill.folder}">\n${skill.body.trim()}\n</skill>`,
        })),
        skipped: [],
        log: [],
        quirks: [
            ...all.filter((skill) => skill.name === null).map((skill) => quirk("offeredWithoutFrontmatter", skill, "")),
            ...all.filter((skill) => skill.body.trim() === "").map((skill) => quirk("noInstructions", skill, "")),
        ],
        refused: null,
    };
}

function strands(all: readonly Found[]): Sent {
    const wrong = (skill: Found): string | null => (skill.name === null ? "SKILL.md has no frontmatter" : null);
    const good = all.filter((skill) => wrong(skill) === null);
    const about = new Marked();
    about.put(
        "Execute a skill within the main conversation\n<skills_instructions>\nWhen users ask you to perform tasks, check if any of the available skills below can help complete the task more effectively.\n</skills_instructions>\n<available_skills>",
        FRAMEWORK,
    );
    for (const skill of good) {
        about
            .put("\n<skill>\n<name>\n", FRAMEWORK)
            .skill(skill, "name")
            .put("\n</name>\n<description>\n", FRAMEWORK)
            .skill(skill, "description");
        about.put("\n</description>\n</skill>", FRAMEWORK);
    }
    about.put("\n<available_skills>", FRAMEWORK);
    return {
        instructions: null,
        tools: [
            tool("Skill", about.done(), { command: { description: "Parameter command" } }),
            tool("file_read", plain("Read the content of a file."), { path: {}, mode: {} }),
            tool("shell", plain("Run a shell command."), { command: {} }),
        ],
        loaded: good.map((skill) => ({
            found: skill,
            id: skill.folder,
            content: `<command-message>The "${skill.folder}" skill is running</command-message>\n<command-name>${skill.folder}</command-name>\nBase directory for this skill: ${skill.path}\n\n${skill.body}`,
        })),
        skipped: skippedBy(all, wrong),
        log: [],
        quirks: [
            ...good
                .filter((skill) => skill.name !== skill.folder)
                .map((skill) => ({ ...quirk("listedNameDoesNotLoad", skill, skill.name ?? ""), detail: skill.folder })),
            {
                kind: "catalogueNotClosed",
                code: "strands/catalogue-not-closed",
                severity: "info",
                message: "",
                skill: null,
                path: null,
                range: null,
                detail: "<available_skills>",
            },
        ],
        refused: null,
    };
}

function agentScope(all: readonly Found[]): Sent {
    const wrong = (skill: Found): string | null => {
        if (!skill.name || !skill.description)
            return "The SKILL.md must have a YAML Front Matter including `name` and `description` fields.";
        return skill.body.trim() === "" ? "The SKILL.md must have content except for the YAML Front Matter." : null;
    };
    const good = all.filter((skill) => wrong(skill) === null);
    const id = (skill: Found): string => `${skill.name ?? ""}_custom`;
    const text = new Marked();
    text.put("You are a helpful assistant.\n\n", { type: "user" });
    text.put(
        '## Available Skills\n\n<usage>\nWhen you need to perform tasks, check if any of the available skills below can help complete the task more effectively.\n\nHow to use skills:\n- Load skill: load_skill_through_path(skillId="<skill-id>", path="SKILL.md")\n</usage>\n\n<available_skills>\n\n',
        FRAMEWORK,
    );
    for (const skill of good) {
        text.put("<skill>\n<name>", FRAMEWORK).skill(skill, "name").put("</name>\n<description>", FRAMEWORK).skill(skill, "description");
        text.put(`</description>\n<skill-id>${id(skill)}</skill-id>\n</skill>\n\n`, FRAMEWORK);
    }
    text.put("</available_skills>", FRAMEWORK);
    return {
        instructions: good.length === 0 ? null : text.done(),
        tools: [
            tool(
                "load_skill_through_path",
                plain(
                    "Load and activate a skill resource by its ID and resource path.\n\n**Functionality:**\n1. Activates the specified skill (making its tools available)\n2. Returns the requested resource content",
                ),
                {
                    skillId: { description: "The unique identifier of the skill.", enum: good.map(id) },
                    path: { description: "The path to the resource file within the skill (e.g., 'SKILL.md', 'references/api.md')" },
                },
            ),
        ],
        loaded: good.map((skill) => ({
            found: skill,
            id: id(skill),
            content: `Successfully loaded skill: ${id(skill)}\n\nName: ${skill.name ?? ""}\nDescription: ${skill.description ?? ""}\nSource: custom\n\nContent:\n---\n${skill.body.trimStart()}\n---\n`,
        })),
        skipped: skippedBy(all, wrong),
        log: [],
        quirks: [
            ...good.flatMap((skill) =>
                skill.files
                    .filter((file) => file.endsWith(".py"))
                    .map((file) => ({ ...quirk("scriptsCannotRun", skill, ""), skill: id(skill), detail: file })),
            ),
            {
                kind: "orderedByHash",
                code: "agentscope/ordered-by-hash",
                severity: "info",
                message: "",
                skill: null,
                path: null,
                range: null,
                detail: good.map((skill) => skill.name).join(", "),
            },
        ],
        refused: null,
    };
}

function geminiCli(all: readonly Found[]): Sent {
    const wrong = (skill: Found): string | null => (skill.name === null ? "Gemini CLI finds no frontmatter in it" : null);
    const good = all.filter((skill) => wrong(skill) === null);
    const names = good.map((skill) => skill.name ?? skill.folder);
    const own = "[Gemini CLI's own text, not reproduced]";
    const withheld: Origin = { type: "withheld", client: "Gemini CLI", characters: null };
    const text = new Marked();
    text.put(own, withheld).put("\n\n# Available Agent Skills\n\n<available_skills>\n", FRAMEWORK);
    for (const skill of good) {
        text.put("  <skill>\n    <name>", FRAMEWORK)
            .skill(skill, "name")
            .put("</name>\n    <description>", FRAMEWORK)
            .skill(skill, "description")
            .put(`</description>\n    <location>${skill.path}/SKILL.md</location>\n  </skill>\n`, FRAMEWORK);
    }
    text.put("</available_skills>\n\n", FRAMEWORK).put(own, withheld);
    return {
        instructions: text.done(),
        tools: [
            { ...tool("run_shell_command", plain("Runs a command line and returns what it prints."), { command: {} }), compared: false },
            tool("activate_skill", plain(`Activates a specialized agent skill by name (Available: '${names.join("', '")}').`), {
                name: { enum: names, description: "The name of the skill to activate." },
            }),
        ],
        loaded: good.map((skill) => ({
            found: skill,
            id: skill.name ?? skill.folder,
            content: `<activated_skill name="${skill.name ?? ""}">\n  <instructions>\n    ${skill.body.trim()}\n  </instructions>\n</activated_skill>`,
        })),
        skipped: skippedBy(all, wrong),
        log: [],
        quirks: [],
        refused: null,
    };
}

function find(files: ReadonlyMap<string, string>): Found[] {
    const folders = SAMPLE_FOLDERS.map((folder) => folder.path);
    return [...files]
        .filter(([path]) => path.endsWith("/SKILL.md") && folders.some((folder) => path.startsWith(`${folder}/`)))
        .map(([manifest, text]) => {
            const path = manifest.slice(0, -"/SKILL.md".length);
            const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
            const field = (key: string): string | null =>
                front === null ? null : (new RegExp(`^${key}:[ ]?(.*)$`, "m").exec(front[1] ?? "")?.[1] ?? "");
            return {
                path,
                folder: path.slice(path.lastIndexOf("/") + 1),
                text,
                name: field("name"),
                description: field("description"),
                body: text.slice(front?.[0].length ?? 0),
                files: [...files.keys()]
                    .filter((file) => file.startsWith(`${path}/`) && file !== manifest)
                    .map((file) => file.slice(path.length + 1)),
            };
        });
}

function inspected(files: ReadonlyMap<string, string>, found: Found, id: string, content: string): InspectedSkill {
    const listed = (names: readonly string[]) =>
        names.map((name) => ({
            name,
            path: `${found.path}/${name}`,
            tokens: /\.(png|bin)$/.test(name) ? null : tokens(files.get(`${found.path}/${name}`) ?? ""),
        }));
    const resources = listed(found.files.filter((name) => !name.endsWith(".py")));
    const description = found.description ?? "";
    return {
        id,
        name: found.name ?? found.folder,
        description,
        path: found.path,
        content,
        loadedWith: null,
        resources,
        scripts: listed(found.files.filter((name) => name.endsWith(".py"))),
        kept: {},
        tokens: {
            catalogue: tokens(description) + 12,
            instructions: tokens(content),
            resources: resources.reduce((sum, file) => sum + (file.tokens ?? 0), 0),
        },
    };
}

function skippedBy(all: readonly Found[], wrong: (skill: Found) => string | null): Skipped[] {
    return all.flatMap((skill) => {
        const reason = wrong(skill);
        return reason === null ? [] : [{ path: skill.path, reason: { en: reason, zh: reason } }];
    });
}

function quirk(kind: QuirkKind, skill: Found, at: string): QuirkDto {
    const from = Math.max(skill.text.indexOf(at), 0);
    const before = skill.text.slice(0, from).split("\n");
    return {
        kind,
        code: kind,
        severity: "warning",
        message: "",
        skill: skill.name ?? skill.folder,
        path: `${skill.path}/SKILL.md`,
        range: { from, to: from + at.length, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
        detail: at,
    };
}

function requestBody(sent: Sent, prompt: string | null): string {
    const system = sent.instructions === null ? [] : [{ role: "system", content: sent.instructions.text }];
    const tools = sent.tools.map(({ name, description, parameters }) => ({
        type: "function",
        function: { name, description, parameters },
    }));
    return JSON.stringify({ model: "gpt-4o-mini", messages: [...system, { role: "user", content: prompt ?? "" }], tools }, null, 2);
}

const FRAMEWORK: Origin = { type: "framework" };

class Marked {
    #text = "";
    #marks: TextMark[] = [];

    put(part: string, origin: Origin): this {
        if (part !== "") {
            this.#marks.push({ from: this.#text.length, to: this.#text.length + part.length, origin });
            this.#text += part;
        }
        return this;
    }

    skill(skill: Found, field: "name" | "description"): this {
        return this.put(skill[field] ?? (field === "name" ? skill.folder : ""), {
            type: "skill",
            skill: skill.name ?? skill.folder,
            field,
        });
    }

    done(): { text: string; marks: TextMark[] } {
        return { text: this.#text, marks: this.#marks };
    }
}

function plain(text: string): { text: string; marks: TextMark[] } {
    return new Marked().put(text, FRAMEWORK).done();
}

function tool(name: string, about: { text: string; marks: TextMark[] }, properties: Record<string, object>): InspectedTool {
    const typed = Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, { type: "string", ...property }]));
    const parameters = { type: "object", properties: typed, required: Object.keys(properties).slice(0, 2) };
    return {
        name,
        description: about.text,
        marks: about.marks,
        asks: false,
        compared: true,
        parameters,
        tokens: tokens(about.text) + tokens(JSON.stringify(parameters)),
    };
}

function byName(skills: readonly Found[]): Found[] {
    return [...skills].sort((a, b) => ((a.name ?? "") < (b.name ?? "") ? -1 : 1));
}
