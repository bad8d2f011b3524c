/** The user's reviews of runs: written by hand, because page tests make them. */
import type { NoteArgs, Review, VerdictArgs } from "../../generated/api";

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
