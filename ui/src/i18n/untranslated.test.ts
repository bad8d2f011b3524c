/** All texts of the window are in the catalogues, where both languages are compared: no other file has any. */
import { parse } from "svelte/compiler";
import { expect, it } from "vitest";
import { zhCn } from "./zh-CN";

/** By file: texts that are the same in every language, or that users do not read. */
const SAME: Readonly<Record<string, readonly string[]>> = {
    "host/index.ts": ["no host is set"],
    "parts/Dialog.svelte": [".body :is(input:not([type=radio]), textarea, select), .foot button:not(.danger)"],
    "replay/recorded.ts": ["not in this replay"],
    "state/inspect.svelte.ts": ["nothing is inspected"],
    "state/key-names.ts": ["Page Up", "Page Down"],
    "state/never.ts": ["unexpected value: "],
    "views/editor/EditorKeys.svelte": ["Escape Tab"],
    "views/models/ModelForm.svelte": ["https://api.example.com/v1"],
    "views/run/GoOn.svelte": ["Esc"],
    "views/run/LaunchForm.svelte": ["Esc"],
    "views/shell/TopBar.svelte": ["中|EN: ", "EN"],
    "views/trace/ImportRun.svelte": ["Claude Code", "OpenAI chat completions", "OpenAI Responses", "Anthropic Messages"],
};

/** Those that hold CSS, names of nodes, or what a search understands. */
const NO_TEXT = /\/(theme|preview-style|preview-face|setup)\.ts$|\/Preview\.svelte$|^trace\/keys\.ts$|^views\/trace\/SearchBar\.svelte$/;

/** Attributes whose text a person sees or hears. */
const SPOKEN =
    /^(title|placeholder|alt|label|heading|text|hint|description|aria-(label|description|roledescription|valuetext|placeholder))$/;

/** Attributes and directives that hold code. */
const CODE = /^(class|style|aria-keyshortcuts|transform|d|points|rel|sandbox|accept)$/;

const WORD = /\p{L}{2,}/u;
const WORDS = /\p{L}{2,} \p{L}{2,}/u;

it("is in no view and no module", () => {
    const sources = import.meta.glob<string>(
        [
            "../**/*.{svelte,ts}",
            "!./**",
            "!../**/*.test.ts",
            "!../generated/**",
            "!../host/fake/**",
            "!../trace/sample.ts",
            "!../test-chinese.ts",
        ],
        {
            query: "?raw",
            import: "default",
            eager: true,
        },
    );
    expect(Object.keys(sources).length).toBeGreaterThan(200);
    const found = Object.entries(sources).flatMap(([path, source]) => {
        const file = path.slice("../".length);
        const same = SAME[file] ?? [];
        return NO_TEXT.test(file)
            ? []
            : said(file.endsWith(".svelte") ? source : `<script lang="ts">${source}</script>`)
                  .filter((text) => !same.includes(text))
                  .map((text) => `${file}: ${text}`);
    });
    expect(found).toEqual([]);
});

it("is found in markup, in attributes and in code", () => {
    const source = `<script lang="ts">const a = "two words"; const b = \`some \${a} more words\`; import x from "a b c";</script>
        <p class="one two" title="Name" style:width="{a}px">Text <b aria-label={"Say it"}>{a}</b></p>`;
    expect(said(source)).toEqual(["two words", " more words", "Name", "Text ", "Say it"]);
});

/** Texts with words in them: all in markup, and in code those of several words. */
function said(source: string): string[] {
    const found: string[] = [];
    const look = (node: unknown, name: string | null): void => {
        if (Array.isArray(node)) {
            node.forEach((inner) => look(inner, name));
            return;
        }
        if (!isNode(node) || node.type === "ImportDeclaration" || node.type === "Comment") {
            return;
        }
        const inner = node.type === "Attribute" || node.type.endsWith("Directive") ? String(node.name) : name;
        if (inner !== null && (CODE.test(inner) || node.type === "StyleDirective")) {
            return;
        }
        const text = textOf(node);
        if (text !== null && (node.type === "Text" && (inner === null || SPOKEN.test(inner)) ? WORD : WORDS).test(text)) {
            found.push(text);
        }
        for (const [key, value] of Object.entries(node)) {
            if (key !== "parent" && key !== "css") {
                look(value, inner);
            }
        }
    };
    const tree = parse(source, { modern: true });
    [tree.module, tree.instance, tree.fragment].forEach((part) => look(part, null));
    return found;
}

function isNode(value: unknown): value is Record<string, unknown> & { type: string } {
    return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function textOf(node: Record<string, unknown>): string | null {
    if (node.type === "TemplateElement" && typeof node.value === "object" && node.value !== null && "raw" in node.value) {
        return String(node.value.raw);
    }
    const text = node.type === "Text" ? node.data : node.type === "Literal" ? node.value : null;
    return typeof text === "string" ? text : null;
}

/** Names, and commands that a person types. */
const NAMES = [
    "Skill Workbench",
    "Claude Code",
    "Amazon Bedrock Converse",
    "Anthropic Messages",
    "OpenAI chat completions",
    "OpenAI Responses",
    "OpenTelemetry span",
    "aws configure",
    "aws configure export-credentials --profile",
    "format env",
    "skillbench --model",
    // The switch away from Chinese is written in the other language.
    "Switch to English",
];

it("is Chinese in the Chinese catalogue", () => {
    const words = /\p{Script=Latin}[\p{Script=Latin}\d'’-]*(?: [\p{Script=Latin}-][\p{Script=Latin}\d'’-]*)+/gu;
    const found = Object.entries(zhCn).flatMap(([key, text]) =>
        [...text.replace(/`[^`]*`|\{[^}]*\}/g, "，").matchAll(words)].map(([several]) => `${key}: ${several}`),
    );
    expect(found.filter((place) => !NAMES.some((name) => place.endsWith(`: ${name}`)))).toEqual([]);
});
