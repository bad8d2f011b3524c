/** Looks for words and for some of the filters in what steps say, and keeps what is said about runs. */
import type { ExcerptPiece, Found, FoundRun, NoteArgs, Review, RunDetail, Step, VerdictArgs } from "../../generated/api";
import { failure } from "./failure";

interface Term {
    name: string | null;
    value: string;
}

const OF_RUNS: readonly string[] = ["harness", "model", "verdict", "since", "until"];
const OF_STEPS: readonly string[] = ["kind", "status", "tool", "skill", "dur", "cost", "tokens"];

export function searchIn(runs: readonly RunDetail[], query: string): Found {
    const terms = [...query.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/gi)].map(([, name, quoted, bare]): Term => ({
        name: name?.toLowerCase() ?? null,
        value: (quoted ?? bare ?? "").toLowerCase(),
    }));
    for (const { name } of terms) {
        if (name !== null && !OF_RUNS.includes(name) && !OF_STEPS.includes(name)) {
            throw failure({
                code: "invalid",
                message: `column ${query.indexOf(`${name}:`) + 1}: there is no filter \`${name}:\``,
                hint: 'correct it; for example: kind:tool status:error dur:>500ms "some words"',
                path: null,
                why: null,
            });
        }
    }
    const ofRuns = terms.filter(({ name }) => name !== null && OF_RUNS.includes(name));
    const ofSteps = terms.filter((term) => !ofRuns.includes(term));
    const found = runs
        .filter((run) => ofRuns.every((term) => isOf(run, term)))
        .map((run): FoundRun => ({
            run: run.summary.id,
            steps: ofSteps.length === 0 ? [] : run.steps.flatMap((step) => foundStep(step, ofSteps)),
            more: false,
        }));
    return { runs: found.filter(({ steps }) => ofSteps.length === 0 || steps.length > 0), more: false, waiting: 0, running: 0 };
}

function isOf({ summary }: RunDetail, { name, value }: Term): boolean {
    switch (name) {
        case "harness":
            return summary.setup.harness.includes(value);
        case "model":
            return summary.setup.model.includes(value);
        case "verdict":
            return (summary.verdict ?? "none") === value;
        case null:
        default:
            return true;
    }
}

function foundStep(step: Step, terms: readonly Term[]) {
    const { kind } = step;
    const text = kind.type === "tool" ? `${kind.call.name} ${kind.call.arguments} ${kind.reply ?? ""}` : "text" in kind ? kind.text : "";
    const skill = kind.type === "tool" && "skill" in kind.disclosed ? kind.disclosed.skill : "";
    const words = terms.filter(({ name }) => name === null).map(({ value }) => value);
    const matches = terms.every(({ name, value }) => {
        switch (name) {
            case null:
                return text.toLowerCase().includes(value);
            case "kind":
                return kind.type === value;
            case "tool":
                return kind.type === "tool" && kind.call.name.includes(value);
            case "skill":
                return skill.includes(value);
            default:
                return true;
        }
    });
    return matches
        ? [{ step: step.index, kind: kind.type, tool: kind.type === "tool" ? kind.call.name : null, excerpt: excerpt(text, words) }]
        : [];
}

function excerpt(text: string, [word = ""]: readonly string[]): ExcerptPiece[] {
    const at = text.toLowerCase().indexOf(word);
    const pieces = [
        { text: `${at > 40 ? "…" : ""}${text.slice(Math.max(0, at - 40), at)}`, found: false },
        { text: text.slice(at, at + word.length), found: true },
        { text: text.slice(at + word.length, at + word.length + 100), found: false },
    ];
    return pieces.filter((piece) => piece.text !== "").map((piece) => ({ ...piece, text: piece.text.replace(/\s+/g, " ") }));
}

export class FakeReviews {
    #of = new Map<string, Review>();

    of(run: string): Review {
        return this.#of.get(run) ?? { verdict: null, notes: [] };
    }

    note({ run, event, text, bookmark }: NoteArgs): Review {
        const { verdict, notes } = this.of(run);
        const others = notes.filter((note) => note.event !== event);
        const note = { event, text: text.trim(), bookmark, changedAt: Date.now() };
        const kept = note.text === "" && !bookmark ? others : [...others, note].sort((a, b) => a.event - b.event);
        return this.#keep(run, { verdict, notes: kept });
    }

    judge({ run, judged, line }: VerdictArgs): Review {
        const verdict = judged === null ? null : { judged, line, changedAt: Date.now() };
        return this.#keep(run, { ...this.of(run), verdict });
    }

    #keep(run: string, review: Review): Review {
        this.#of.set(run, review);
        return review;
    }
}
