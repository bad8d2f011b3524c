/** Words for what a call wants to do. Nothing is shortened: users must see all of it before they approve. */
import type { Effect, Enforcement, Measure } from "../../generated/api";
import { currentLocale, formatNumber, sentences, t } from "../../i18n";
import { assertNever } from "../../state/never";

export type EffectWords = {
    /** What would happen, in a sentence. */
    says: string;
    facts: [name: string, value: string][];
    /** A command, a text or messages, exactly. */
    text: { label: string; text: string } | null;
};

/** What "allow for this run" would allow. */
export function effectScope(effect: Effect): string {
    switch (effect.type) {
        case "runScript":
        case "shell":
        case "shells":
        case "writeFile":
        case "writeFiles":
        case "disclose":
        case "askModel":
            return t(`approval.scope.${effect.type}`);
        case "readFile":
        case "listFolder":
        case "findFiles":
        case "fileHistory":
        case "searchFiles":
            return t("approval.scope.look");
        case "delegate":
        case "summarise":
            return "";
        default:
            return assertNever(effect);
    }
}

/** Many empty lines or spaces in a row, which push later text out of sight. */
const EMPTY_LINES = /(?:[^\S\n]*\n){4,}/g;
const SPACES = /(?:[^\S\n]|[\u115f\u1160\u2800\u3164\uffa0]){41,}/g;

/** A text in which nothing is pushed out of sight: long runs of empty lines and of spaces are replaced by their number. */
export function withoutGaps(text: string): string {
    return text
        .replace(EMPTY_LINES, (lines) => `\n${t("approval.blankLines", { n: lines.split("\n").length - 2 })}\n`)
        .replace(SPACES, (spaces) => ` ${t("approval.blanks", { n: spaces.length })} `);
}

export function effectWords(effect: Effect): EffectWords {
    const words = (says: string, facts: EffectWords["facts"], text: EffectWords["text"] = null): EffectWords => ({
        says,
        facts,
        text,
    });
    switch (effect.type) {
        case "runScript":
            return words(t("approval.says.runScript"), [
                [t("approval.skill"), effect.skill],
                [t("approval.interpreter"), effect.interpreter],
                [t("approval.script"), effect.path],
                [t("approval.with"), effect.arguments.length === 0 ? t("approval.noArguments") : effect.arguments.map(quoted).join(" ")],
                [t("approval.directory"), directory(effect.workingDirectory)],
            ]);
        case "shell":
            return words(t("approval.says.shell"), whereAndHowLong(effect), {
                label: t("approval.command"),
                text: effect.command,
            });
        case "shells":
            return words(t("approval.says.shells"), whereAndHowLong(effect), {
                label: t("approval.commands"),
                text: effect.commands.map((command, index) => `${index + 1}: ${command}`).join("\n"),
            });
        case "readFile":
            return words(t("approval.says.readFile"), [[t("approval.file"), effect.path]]);
        case "writeFile":
            return words(t("approval.says.writeFile"), [[t("approval.file"), effect.path]], {
                label: t("approval.text"),
                text: effect.text,
            });
        case "writeFiles":
            return words(t("approval.says.writeFiles", { n: effect.files.length }), [], {
                label: t("approval.texts"),
                text: effect.files.map((file) => `${file.path}\n${indented(file.text)}`).join("\n"),
            });
        case "fileHistory":
            return words(t("approval.says.fileHistory"), [
                [t("approval.file"), effect.path],
                ...(effect.revisions === null
                    ? []
                    : [[t("approval.revisions"), formatNumber(effect.revisions)] satisfies [string, string]]),
            ]);
        case "listFolder":
            return words(t("approval.says.listFolder"), [
                [t("approval.folder"), effect.path],
                [t("approval.levels"), formatNumber(effect.depth)],
            ]);
        case "findFiles":
            return words(t("approval.says.findFiles"), [
                [t("approval.folder"), effect.path],
                [t("approval.pattern"), effect.pattern],
            ]);
        case "searchFiles":
            return words(t("approval.says.searchFiles"), [
                [t("approval.folder"), effect.path],
                [t("approval.pattern"), effect.pattern],
                [t("approval.onlyFiles"), effect.files ?? t("approval.allFiles")],
                [
                    t("approval.matching"),
                    [
                        effect.ignoreCase ? t("approval.ignoreCase") : t("approval.exactCase"),
                        ...(effect.multiline ? [t("approval.multiline")] : []),
                    ].join(t("sandbox.and")),
                ],
            ]);
        case "disclose":
            return words(effect.resource === null ? t("approval.says.instructions") : t("approval.says.resource"), [
                [t("approval.skill"), effect.skill],
                ...(effect.resource === null ? [] : [[t("approval.file"), effect.resource] satisfies [string, string]]),
            ]);
        case "askModel":
            return words(t("approval.says.askModel"), [[t("approval.model"), effect.model]]);
        case "delegate":
            return words(
                t("approval.says.delegate"),
                [
                    [t("approval.agent"), effect.agent ?? t("approval.defaultAgent")],
                    [t("approval.model"), effect.model ?? t("approval.runModel")],
                    [t("approval.tools"), effect.tools.map((tool) => tool.name).join(t("sandbox.and")) || t("approval.noTools")],
                    [t("approval.history"), effect.withHistory ? t("approval.withHistory") : t("approval.freshStart")],
                    ...(effect.iterations === null
                        ? []
                        : [[t("approval.requests"), formatNumber(effect.iterations)] satisfies [string, string]]),
                ],
                { label: t("approval.messages"), text: json(effect.messages) },
            );
        case "summarise":
            return words(
                t("approval.says.summarise"),
                effect.maxTokens === null ? [] : [[t("approval.mostTokens"), formatNumber(effect.maxTokens)]],
                { label: t("approval.messages"), text: json(effect.messages) },
            );
        default:
            return assertNever(effect);
    }
}

/** The same on one line. */
export function effectLine(effect: Effect): string {
    switch (effect.type) {
        case "runScript":
            return [effect.interpreter, effect.path, ...effect.arguments.map(quoted)].join(" ");
        case "shell":
            return effect.command;
        case "shells":
            return effect.commands.join(" & ");
        case "writeFiles":
            return effect.files.map((file) => file.path).join(", ");
        case "readFile":
        case "writeFile":
        case "fileHistory":
        case "listFolder":
            return effect.path;
        case "findFiles":
        case "searchFiles":
            return `${effect.pattern}  ${effect.path}`;
        case "disclose":
            return effect.resource === null ? effect.skill : `${effect.skill} / ${effect.resource}`;
        case "askModel":
            return effect.model;
        case "delegate":
            return effect.agent ?? t("approval.defaultAgent");
        case "summarise":
            return t("approval.says.summarise");
        default:
            return assertNever(effect);
    }
}

/** Texts about the sandbox, or why there is none. */
export function confinementText(enforcement: Enforcement): string {
    const { layer, missing, reason } = enforcement;
    const why = reason === null ? "" : reason[currentLocale() === "en" ? "en" : "zh"];
    if (layer === null) {
        return t("sandbox.none", { why });
    }
    const by = { layer: t(`sandbox.layer.${layer}`) };
    return missing.length === 0
        ? t("sandbox.held", by)
        : sentences(t("sandbox.partly", by), t("sandbox.missing", { what: measureNames(missing), why }));
}

export function measureNames(measures: readonly Measure[]): string {
    return measures.map((measure) => t(`sandbox.measure.${measure}`)).join(t("sandbox.and"));
}

function whereAndHowLong({ workingDirectory, timeout }: { workingDirectory: string | null; timeout: number | null }): EffectWords["facts"] {
    const where: EffectWords["facts"] = [[t("approval.directory"), directory(workingDirectory)]];
    return timeout === null ? where : [...where, [t("approval.timeout"), t("approval.seconds", { n: timeout })]];
}

/** So that no line of a text looks like the path of the next file. */
function indented(text: string): string {
    return text.replace(/^/gm, "    ");
}

function directory(path: string | null): string {
    return path ?? t("approval.runDirectory");
}

/** Quotes an argument that has spaces or quotes. */
function quoted(argument: string): string {
    return /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument);
}

function json(value: unknown): string {
    return JSON.stringify(value, null, 2);
}
