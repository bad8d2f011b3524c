/**
 * One question at a time. While an answer is on its way, only the latest question waits for its turn, and the others are dropped: their
 * answers would not be shown, and each costs memory and a processor.
 */
export class InTurn {
    #asked = 0;
    #answered: Promise<unknown> = Promise.resolve();

    /** The answer; `null`: something else was asked before it was this one's turn. */
    async ask<T>(question: () => Promise<T>): Promise<T | null> {
        const asked = ++this.#asked;
        await this.#answered;
        if (asked !== this.#asked) {
            return null;
        }
        const answer = question();
        this.#answered = answer.catch(() => undefined);
        return answer;
    }
}
