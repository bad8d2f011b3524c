/** Whether a question could be read: typing or clicking before that does not count as an answer. */

/** Milliseconds that are too short to read it. */
const UNREAD = 500;

export class Readable {
    /** It is there for long enough. */
    ready = $state(false);
    /** When it became visible, in the time of events; `null`: not yet. */
    #painted: number | null = null;

    /** Counts from when the question is painted, and gives what ends the count. A window that is not shown paints nothing. */
    watch(): () => void {
        let timer: ReturnType<typeof setTimeout> | undefined;
        // The first frame is made with the question in it, the second after it was shown.
        let frame = requestAnimationFrame(() => {
            frame = requestAnimationFrame(() => {
                this.#painted = performance.now();
                timer = setTimeout(() => (this.ready = true), UNREAD);
            });
        });
        return () => {
            cancelAnimationFrame(frame);
            clearTimeout(timer);
        };
    }

    /** Whether the question could be read when this was typed or clicked: a page that was busy hands it on later. */
    before(event: Event): boolean {
        return this.#painted !== null && event.timeStamp - this.#painted >= UNREAD;
    }
}
