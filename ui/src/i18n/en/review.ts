/** What a person says about a run. */
import { messages } from "../messages";

export const review = messages({
    "review.note": "Your note",
    "review.add": "Add a note",
    "review.edit": "Edit",
    "review.delete": "Delete",
    "review.save": "Save",
    "review.cancel": "Cancel",
    "review.bookmark": "Bookmark this step",
    "review.bookmarked": "Bookmarked",
    "review.nextMark": "Next note or bookmark",
    "review.noteDeleted": "The note was deleted",
    "review.verdict": "Verdict",
    "review.verdictTitle": "Your verdict on this run",
    "review.pass": "Pass",
    "review.fail": "Fail",
    "review.unsure": "Unsure",
    "review.line": "Why, in a line",
    "review.remove": "Remove the verdict",
    "review.verdictDeleted": "The verdict was removed",
});
