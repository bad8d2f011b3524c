import { expect, it } from "vitest";
import type { Effect, Enforcement } from "../../generated/api";
import { setLocale } from "../../i18n";
import { confinementText, effectLine, effectWords, withoutGaps } from "./effects";

const EFFECTS: { [Type in Effect["type"]]: Extract<Effect, { type: Type }> } = {
    disclose: { type: "disclose", skill: "unit-converter", resource: null },
    readFile: { type: "readFile", path: "/etc/hosts", approval: false },
    runScript: {
        type: "runScript",
        skill: "a",
        script: "s.py",
        path: "/a/s.py",
        interpreter: "python3",
        arguments: ["--note", "two words"],
        approval: true,
        workingDirectory: null,
    },
    shell: { type: "shell", command: "rm -r build && ls", workingDirectory: "/work", timeout: 30 },
    shells: { type: "shells", commands: ["make a", "make b"], workingDirectory: null, timeout: 900, untilFailure: true },
    writeFile: { type: "writeFile", path: "/work/out.txt", text: "first\nsecond\n" },
    writeFiles: {
        type: "writeFiles",
        files: [
            { path: "/work/a.sh", text: "one\ntwo\n" },
            { path: "/work/b.sh", text: "/work/c.sh" },
        ],
    },
    fileHistory: { type: "fileHistory", path: "/work/a.md", revisions: 5 },
    listFolder: { type: "listFolder", path: "/work", depth: 2 },
    findFiles: { type: "findFiles", path: "/work", pattern: "**/*.md" },
    searchFiles: { type: "searchFiles", path: "/work", pattern: "a.b", files: "*.rs", ignoreCase: true, multiline: true },
    delegate: {
        type: "delegate",
        agent: "researcher",
        model: null,
        withHistory: true,
        messages: [{ role: "user" }],
        tools: [{ name: "bash", description: "", parameters: {} }],
        iterations: 30,
        maxTokens: null,
    },
    askModel: { type: "askModel", model: "cloud" },
    summarise: { type: "summarise", messages: [], maxTokens: 2000 },
};

const all = (effect: Effect): string => {
    const { says, facts, text } = effectWords(effect);
    return [says, ...facts.flat(), text?.text ?? ""].join(" ");
};

it("says all of what each kind would do", () => {
    const shown = Object.values(EFFECTS).map((effect) => [effect.type, all(effect)]);
    expect(Object.fromEntries(shown)).toMatchInlineSnapshot(`
      {
        "askModel": "The project or a skill names a model other than the one you chose. It would see this conversation. Model cloud ",
        "delegate": "It wants to start a sub-agent, which asks the model on its own. Agent researcher Model the model of this run Tools bash Starts with the conversation so far Model requests, at most 30 [
        {
          "role": "user"
        }
      ]",
        "disclose": "It wants to load the instructions of a skill. Skill unit-converter ",
        "fileHistory": "It wants to read earlier contents of a file. File /work/a.md Revisions of Git, at most 5 ",
        "findFiles": "It wants to find files by name. Folder /work Pattern **/*.md ",
        "listFolder": "It wants to list a folder. Folder /work Levels 2 ",
        "readFile": "It wants to read a file. File /etc/hosts ",
        "runScript": "It wants to run a script of the skill. Skill a Interpreter python3 Script /a/s.py Arguments passed --note "two words" Working directory the run's own ",
        "searchFiles": "It wants to search the text of files. Folder /work Pattern a.b In files *.rs Matching case ignored, across lines ",
        "shell": "It wants to run a command in a shell. Working directory /work Time limit 30 s rm -r build && ls",
        "shells": "It wants to run commands in shells of their own, at the same time. Working directory the run's own Time limit 900 s 1: make a
      2: make b",
        "summarise": "It wants to have the conversation summarised by the model. Tokens, at most 2,000 []",
        "writeFile": "It wants to write a file. An existing file is overwritten. File /work/out.txt first
      second
      ",
        "writeFiles": "It wants to write 2 files. Existing files are overwritten; a file that a link would lead elsewhere is left out. /work/a.sh
          one
          two
          
      /work/b.sh
          /work/c.sh",
      }
    `);
});

it("says plainly what confines what runs, in the language of the window", () => {
    const none: Enforcement = {
        layer: null,
        inForce: ["environment", "time", "output"],
        missing: ["files", "network"],
        reason: { en: "bwrap is not installed", zh: "未安装 bwrap" },
        interpreter: null,
    };
    const held: Enforcement = { ...none, layer: "bubblewrap", missing: [], reason: null };
    const some: Enforcement = { ...held, missing: ["files", "network"], reason: { en: "the kernel is old", zh: "内核太旧" } };
    const alone: Enforcement = {
        ...held,
        missing: ["rules"],
        reason: { en: "Landlock inside of bubblewrap is not in force: it was left out", zh: "bubblewrap 内的 Landlock 未生效：未使用" },
    };
    expect([none, held, some, alone].map(confinementText)).toEqual([
        "No sandbox: it runs with your rights and can read and change your files and use the network. Reason: bwrap is not installed",
        "In a sandbox (bubblewrap): it sees the system's programs, the skills and the run's folder, can write only to the run's folder, and has no network.",
        "In a sandbox (bubblewrap). Not in force: other files hidden, no network. Reason: the kernel is old",
        "In a sandbox (bubblewrap). Not in force: Landlock rules. Reason: Landlock inside of bubblewrap is not in force: it was left out",
    ]);
    setLocale("zh-CN");
    expect(confinementText(none)).toContain("未安装 bwrap");
    expect(confinementText(alone)).toContain("Landlock 规则");
    setLocale("en");
});

it("says each on one line", () => {
    expect(Object.values(EFFECTS).map(effectLine)).toEqual([
        "unit-converter",
        "/etc/hosts",
        'python3 /a/s.py --note "two words"',
        "rm -r build && ls",
        "make a & make b",
        "/work/out.txt",
        "/work/a.sh, /work/b.sh",
        "/work/a.md",
        "/work",
        "**/*.md  /work",
        "a.b  /work",
        "researcher",
        "cloud",
        "It wants to have the conversation summarised by the model.",
    ]);
});

it("leaves a text with few gaps as it is", () => {
    expect(withoutGaps("a\n\n\nb    c\n")).toBe("a\n\n\nb    c\n");
});
