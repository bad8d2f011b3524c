/** How texts of models are read. */
class Reading {
    /** Letter by letter, as they were written, in place of what their Markdown means. */
    exact = $state(false);
    /** Bodies of requests, in place of how they are sent. */
    indented = $state(true);
}

export const reading = new Reading();
