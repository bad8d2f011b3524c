/** Which language a file is in, by name. */
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { yaml, yamlFrontmatter } from "@codemirror/lang-yaml";
import { HighlightStyle, LanguageDescription, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

const inFences = [
    LanguageDescription.of({ name: "python", alias: ["py"], support: python() }),
    LanguageDescription.of({ name: "json", support: json() }),
    LanguageDescription.of({ name: "yaml", alias: ["yml"], support: yaml() }),
    LanguageDescription.of({ name: "javascript", alias: ["js", "ts", "typescript"], support: javascript({ typescript: true }) }),
];

export function languageOf(name: string): Extension {
    const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
    switch (ending) {
        case "md":
        case "markdown":
            return yamlFrontmatter({ content: markdown({ base: markdownLanguage, codeLanguages: inFences }) });
        case "py":
            return pythonLanguage;
        case "json":
            return json();
        case "yaml":
        case "yml":
            return yaml();
        case "js":
        case "mjs":
        case "cjs":
            return javascript();
        case "ts":
            return javascript({ typescript: true });
        default:
            return [];
    }
}

const style = HighlightStyle.define([
    { tag: tags.heading, fontWeight: "600", color: "var(--code-heading)" },
    { tag: tags.strong, fontWeight: "600" },
    { tag: tags.emphasis, fontStyle: "italic" },
    { tag: tags.strikethrough, textDecoration: "line-through" },
    { tag: [tags.link, tags.url], color: "var(--code-link)" },
    { tag: tags.monospace, color: "var(--code-string)" },
    { tag: [tags.processingInstruction, tags.meta, tags.contentSeparator], color: "var(--code-quiet)" },
    { tag: [tags.comment, tags.quote], color: "var(--code-quiet)", fontStyle: "italic" },
    { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--code-keyword)" },
    { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.attributeName], color: "var(--code-key)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
    { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
    {
        tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName)), tags.className],
        color: "var(--code-key)",
    },
    { tag: tags.invalid, color: "var(--error)" },
]);

export const highlighting: Extension = syntaxHighlighting(style);
