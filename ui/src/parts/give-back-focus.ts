/**
 * A dialog gives the focus back to what had it. If that element is gone because of what the dialog did, the view behind the dialog gets the
 * focus: keys do nothing while the body has it.
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
