/** Milliseconds after which a window that is not shown, and so paints nothing, is not waited for. */
const UNSEEN = 250;

/** Resolves when the changes are on the screen, so that later work does not delay them. */
export function painted(): Promise<void> {
    return new Promise((done) => {
        const timer = setTimeout(done, UNSEEN);
        // The first frame is made with it, the second after it was shown.
        requestAnimationFrame(() =>
            requestAnimationFrame(() => {
                clearTimeout(timer);
                done();
            }),
        );
    });
}

/** Does something once the next frame is made, and so not while nothing is shown. Gives what calls it off. */
export function afterFrame(work: () => void): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
        timer = setTimeout(work);
    });
    return () => {
        cancelAnimationFrame(frame);
        clearTimeout(timer);
    };
}
