import { messages } from "../messages";

export const collisions = messages({
    "collisions.show": "Skills that compete",
    "collisions.showOf": "Skills that compete with it",
    "collisions.title": "Skills that compete for the same request",
    "collisions.request": "Type a request to see which skills have its words",
    "collisions.count": "Pairs: {n}. Skills compared: {of}",
    "collisions.asked": "Skills with words of this request: {n}",
    "collisions.all": "Only pairs with {name}: show all",
    "collisions.likely": "Skills, the likeliest first",
    "collisions.shareWhy": "How many of the words of both descriptions are in both, apart from words that are in every description",
    "collisions.close": "too alike",
    "collisions.words": "Shared words",
    "collisions.inSkills": "In {n} of {of} descriptions",
    "collisions.queries": "Should trigger both, by their own trigger sets:",
    "collisions.none": "No two skills compete",
    "collisions.noneHint": "The descriptions of {n} skills share too few words to be confused.",
    "collisions.tooFew": "Open at least two skills to compare them.",
    "collisions.nobody": "No skill has a word of this request",
    "collisions.nobodyHint": "A model would probably load none of them.",
    "collisions.more": "Further pairs are not listed.",
});
