/** A run told as a story, one thing at a time: what each step shows when it is presented. */
import type { Step, ToolCall } from "../generated/api";
import { answerError } from "../i18n";
import { prettyJson } from "./json";
import type { Series } from "./lane";
import { END, kindAt, NOTE, outlineOf, type OpenedRun, type Steps } from "./steps";
import { isTrouble } from "./walk";

export type Scene =
    /** Before anything was said: what every skill costs from the start. */
    | { type: "catalogue"; skills: readonly string[]; tokens: number }
    | { type: "prompt"; text: string; further: boolean }
    /** The model asks for calls. */
    | { type: "asks"; text: string; calls: readonly { name: string; text: string }[] }
    | { type: "instructions"; skill: string; text: string }
    | { type: "resource"; skill: string; resource: string; text: string }
    | { type: "script"; skill: string; script: string; text: string; failed: boolean }
    | { type: "tool"; name: string; text: string; failed: boolean }
    | { type: "answer"; text: string }
    | { type: "failed"; text: string }
    | { type: "end" };

/** Characters of a text that are laid out; a room reads the beginning. */
const MOST = 4000;

/** The positions of the steps that are presented. What the program noted is not part of the story. */
export function presented(steps: Steps): number[] {
    const outline = outlineOf(steps);
    const places: number[] = [];
    for (let at = 0; at < outline.length; at += 1) {
        const kind = kindAt(outline, at);
        if (kind !== NOTE && !(kind === END && at < outline.length - 1)) places.push(at);
    }
    return places;
}

export function opening({ summary: { setup } }: OpenedRun): Scene {
    return { type: "catalogue", skills: setup.skills, tokens: setup.catalogueTokens };
}

export function sceneOf(step: Step): Scene {
    const { kind } = step;
    switch (kind.type) {
        case "prompt":
            return { type: "prompt", text: kind.text.slice(0, MOST), further: step.index > 0 };
        case "answer": {
            const error = answerError(kind);
            if (error !== null) return { type: "failed", text: error.text.slice(0, MOST) };
            if (kind.calls.length === 0) return { type: "answer", text: kind.text.slice(0, MOST) };
            return { type: "asks", text: kind.text.slice(0, MOST), calls: kind.calls.map(asked) };
        }
        case "tool": {
            const text = (kind.reply ?? "").slice(0, MOST);
            const failed = isTrouble(step);
            const disclosed = kind.disclosed;
            switch (disclosed.type) {
                case "instructions":
                    return { type: "instructions", skill: disclosed.skill, text };
                case "resource":
                    return { type: "resource", skill: disclosed.skill, resource: disclosed.resource, text };
                case "script":
                    return { type: "script", skill: disclosed.skill, script: disclosed.script, text, failed };
                case "none":
                    return { type: "tool", name: kind.call.name, text, failed };
            }
        }
        // eslint-disable-next-line no-fallthrough -- each case above returns
        case "note":
            return { type: "tool", name: "", text: kind.text.slice(0, MOST), failed: false };
        case "end":
            return { type: "end" };
    }
}

/** The colour that a scene has in the picture; `null`: it has none. */
export function seriesOfScene(scene: Scene): Series | null {
    switch (scene.type) {
        case "catalogue":
            return "catalogue";
        case "instructions":
            return "instructions";
        case "resource":
            return "resources";
        case "script":
            return "scripts";
        case "prompt":
        case "asks":
        case "answer":
        case "tool":
        case "failed":
        case "end":
            return null;
    }
}

function asked(call: ToolCall): { name: string; text: string } {
    return { name: call.name, text: prettyJson(call.arguments).slice(0, MOST) };
}
