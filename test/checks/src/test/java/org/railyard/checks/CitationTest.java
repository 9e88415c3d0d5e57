package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Each citation of a specification, such as {@code spec 10 §8.7} or {@code spec 21 cb-041}, leads to a heading or an id
 * in {@code docs/spec}.
 */
final class CitationTest {
    private static final String SECTION = "§\\s?(\\d+(?:\\.\\d+)*)";

    /**
     * What may be between two words of a citation: blanks, or the end of a line and the beginning of the next in a
     * comment.
     */
    private static final String GAP = "(?:[ \\t]*\\R[ \\t]*(?:\\*|//|#)?[ \\t]*|[ \\t]+)";

    private static final String ID = "[a-z]\\w+-\\d{3}";

    private static final String CHAPTER = "(?<!\\d)(\\d\\d)" + GAP;

    private static final String SEPARATOR = "(?:[,;]?" + GAP + "(?:(?:and|or|to|–)" + GAP + ")?|[/–])";

    /** A chapter, and what follows of sections, ids and further chapters with their sections. */
    private static final Pattern CITATION = Pattern.compile("\\b[Ss]pec" + GAP + "(?<first>\\d\\d)\\b(?<where>(?:"
            + SEPARATOR + "(?:" + CHAPTER + ")?" + SECTION + "(?:\\(\\d+\\))?|,?" + GAP + ID + ")*)");

    /** In chapters: the chapter, if it is another one, and sections of it. */
    private static final Pattern REFERENCE = Pattern.compile(
            "(?:(?<![\\d.§])(?<chapter>\\d\\d) )?(?<where>" + SECTION + "(?:(?:, | and |[/–])" + SECTION + ")*)");

    private static final Pattern ANY_SECTION = Pattern.compile(SECTION);

    private static final Pattern PLACE = Pattern.compile("(?:(?:" + CHAPTER + ")?" + SECTION + "|(" + ID + "))");

    private final Specifications specifications = Specifications.ofTheTree();

    private static boolean cites(String file) {
        return file.matches(
                        "(test/)?[^/]+/src/(main|test)/java/.*\\.java|docs/[^/]+\\.md|docs/examples/.*|[^/]+\\.md|.*\\.(ya?ml|xml)")
                && !file.startsWith("docs/spec/")
                && !file.endsWith("/CitationTest.java");
    }

    @Test
    void eachCitationIsOfAnExistingSectionOrId() {
        List<String> lost = new ArrayList<>();
        int citations = 0;
        for (var file : SourceTree.textFiles()) {
            String name = SourceTree.name(file);
            if (!cites(name)) {
                continue;
            }
            String text = String.join("\n", SourceTree.lines(file));
            StringBuilder rest = new StringBuilder(text);
            for (Matcher found = CITATION.matcher(text); found.find(); citations++) {
                for (String problem : problems(found.group("first"), found.group("where"))) {
                    lost.add(name + ":" + lineOf(text, found.start()) + ": " + problem);
                }
                blank(rest, found.start(), found.end());
            }
            for (Matcher alone = ANY_SECTION.matcher(rest); alone.find(); ) {
                lost.add(name + ":" + lineOf(text, alone.start()) + ": " + alone.group() + " of which chapter?");
            }
        }
        assertThat(citations).as("citations").isGreaterThan(100);
        assertThat(lost).as("docs/spec has no such chapter, section or id").isEmpty();
    }

    @Test
    void eachReferenceInAChapterIsToAnExistingSection() {
        List<String> lost = new ArrayList<>();
        for (var file : SourceTree.textFiles()) {
            String name = SourceTree.name(file);
            if (!name.matches("docs/spec/\\d\\d-.*\\.md")) {
                continue;
            }
            String own = name.substring("docs/spec/".length(), "docs/spec/".length() + 2);
            int number = 0;
            for (String line : SourceTree.lines(file)) {
                number++;
                for (Matcher found = REFERENCE.matcher(line); found.find(); ) {
                    String other = found.group("chapter");
                    String chapter = other != null && specifications.has(other) ? other : own;
                    for (String problem : problems(chapter, found.group("where"))) {
                        lost.add(name + ":" + number + ": " + problem);
                    }
                }
            }
        }
        assertThat(lost).as("no such section").isEmpty();
    }

    @Test
    void eachRequirementIsInAChapter() throws IOException {
        assertThat(Catalogue.load().titles().keySet())
                .as("requirements.tsv has only what docs/spec asks for")
                .allMatch(specifications::hasId);
    }

    @Test
    void aWrongCitationIsFound() {
        assertThat(specifications.has("10")).isTrue();
        assertThat(specifications.has("99")).isFalse();
        assertThat(problems("10", " §8.7, §99.1")).containsExactly("spec 10 §99.1");
        assertThat(problems("99", "")).containsExactly("spec 99");
        assertThat(problems("10", " §8.7, 11 §8.7")).containsExactly("spec 11 §8.7");
        assertThat(problems("21", " cb-041 cb-999")).containsExactly("spec 21 cb-999");
    }

    private List<String> problems(String first, String where) {
        List<String> problems = new ArrayList<>();
        if (!specifications.has(first)) {
            problems.add("spec " + first);
        }
        String chapter = first;
        for (Matcher place = PLACE.matcher(where); place.find(); ) {
            if (place.group(1) != null) {
                chapter = place.group(1);
            }
            String section = place.group(2);
            if (section == null
                    ? !specifications.hasId(chapter, place.group(3))
                    : !specifications.hasSection(chapter, section)) {
                problems.add("spec " + chapter + " " + (section == null ? place.group(3) : "§" + section));
            }
        }
        return problems;
    }

    private static int lineOf(String text, int offset) {
        return 1
                + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
    }

    private static void blank(StringBuilder text, int from, int to) {
        for (int i = from; i < to; i++) {
            text.setCharAt(i, ' ');
        }
    }
}
