/** How texts of models are read. */
class Reading {
    /** Letter by letter, as they were written, in place of what their Markdown means. */
    exact = $state(false);
}

export const reading = new Reading();
