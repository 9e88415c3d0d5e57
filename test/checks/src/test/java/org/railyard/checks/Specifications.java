package org.railyard.checks;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What can be cited of {@code docs/spec}: numbers of chapters and sections, and ids of requirements. */
final class Specifications {
    private static final Pattern CHAPTER = Pattern.compile("docs/spec/(\\d\\d)-.*\\.md");

    private static final Pattern HEADING = Pattern.compile("^#+\\s*§?(\\d+(?:\\.\\d+)*)");

    private static final Pattern ID = Pattern.compile("\\b[a-z]\\w+-\\d{3}\\b");

    private final Map<String, Set<String>> sections = new HashMap<>();

    private final Map<String, Set<String>> ids = new HashMap<>();

    private Specifications() {}

    static Specifications ofTheTree() {
        Specifications all = new Specifications();
        for (Path file : SourceTree.textFiles()) {
            Matcher chapter = CHAPTER.matcher(SourceTree.name(file));
            if (chapter.matches()) {
                all.read(chapter.group(1), file);
            }
        }
        return all;
    }

    private void read(String chapter, Path file) {
        Set<String> headings = sections.computeIfAbsent(chapter, key -> new HashSet<>());
        Set<String> named = ids.computeIfAbsent(chapter, key -> new HashSet<>());
        for (String line : SourceTree.lines(file)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.find()) {
                headings.add(heading.group(1));
            }
            for (Matcher id = ID.matcher(line); id.find(); ) {
                named.add(id.group());
            }
        }
    }

    boolean has(String chapter) {
        return sections.containsKey(chapter);
    }

    boolean hasSection(String chapter, String number) {
        return sections.getOrDefault(chapter, Set.of()).contains(number);
    }

    boolean hasId(String chapter, String id) {
        return ids.getOrDefault(chapter, Set.of()).contains(id);
    }

    /** Returns whether any chapter has the id. */
    boolean hasId(String id) {
        return ids.values().stream().anyMatch(named -> named.contains(id));
    }
}
