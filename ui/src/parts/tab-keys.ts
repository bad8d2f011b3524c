/** Arrow keys, Home and End in a list of tabs: the tab they lead to is chosen and gets the focus. */
export function tabKeys(event: KeyboardEvent): void {
    const tabs = event.currentTarget instanceof HTMLElement ? [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")] : [];
    const at = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to !== undefined) {
        event.preventDefault();
        // The place may have an own meaning for the key.
        event.stopPropagation();
        tabs[to]?.click();
        tabs[to]?.focus();
    }
}
