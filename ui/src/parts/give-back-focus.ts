/**
 * A dialog gives the focus back to what had it. Where that is gone, because of what the dialog did, the place behind it gets the
 * focus: from the body no key leads anywhere.
 */
export function giveBackFocus(): void {
    // After the dialog has tried.
    setTimeout(() => {
        const leaving = document.activeElement?.closest(".dialog") ?? null;
        if (leaving === null) {
            toPlace();
            return;
        }
        // It holds the focus until it is out of sight.
        const observer = new MutationObserver(() => {
            if (!leaving.isConnected) {
                observer.disconnect();
                toPlace();
            }
        });
        observer.observe(document.body, { childList: true, subtree: true });
    });
}

function toPlace(): void {
    if (document.activeElement === null || document.activeElement === document.body) {
        document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
    }
}
