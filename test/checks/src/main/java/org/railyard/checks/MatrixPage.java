package org.railyard.checks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The page that shows which test shows which requirement. The same input always gives the same page. */
final class MatrixPage {
    private static final String HEAD = """
        # Requirements and the tests that show them

        Written by `mvn verify` from the `@Requirement` annotations of the tests; do not edit.

        - A requirement with a test is shown by it. Tests that the build may leave out, such as those of `-Plong`, are named but show nothing by themselves.
        - *differs*: Railyard does it in another way, on purpose; the reason is beside it.
        - *open*: not built yet, or built and not shown by a test that says so.
        - Where Lustre's documents and Lustre's nodes differ, tests follow the documents: `compat_profile: documents`. The default profile differs from it in some points, and \
        [configuration.md](configuration.md#profiles) says in which, and why.

        | group | requirements | with a test | differs | open |
        |---|---|---|---|---|
        """;

    private final Catalogue catalogue;
    private final MatrixRemarks remarks;
    private final Map<String, Set<String>> shown = new TreeMap<>();
    private final Map<String, Set<String>> conditional = new TreeMap<>();

    MatrixPage(Catalogue catalogue, MatrixRemarks remarks, List<Claim> claims) {
        this.catalogue = catalogue;
        this.remarks = remarks;
        for (Claim claim : claims) {
            (claim.conditional() ? conditional : shown)
                    .computeIfAbsent(claim.id(), _ -> new TreeSet<>())
                    .add(claim.test());
        }
    }

    /**
     * Returns a complaint for each claim or remark whose id is not in the catalogue, and for each remark that a test
     * contradicts.
     */
    List<String> complaints() {
        Stream<String> ofClaims = Stream.of(shown, conditional)
                .flatMap(tests -> tests.entrySet().stream())
                .filter(entry -> !catalogue.titles().containsKey(entry.getKey()))
                .flatMap(entry -> entry.getValue().stream()
                        .map(test -> test + ": no specification has the requirement " + entry.getKey()));
        Stream<String> ofRemarks = remarks.byId().keySet().stream()
                .filter(id -> !catalogue.titles().containsKey(id))
                .map(id -> "remarks.tsv: no specification has the requirement " + id);
        Stream<String> contradictions = remarks.byId().entrySet().stream()
                .filter(entry -> shown.containsKey(entry.getKey()))
                .map(entry -> "remarks.tsv says that " + entry.getKey() + " is "
                        + word(entry.getValue().state())
                        + ", but " + String.join(", ", shown.getOrDefault(entry.getKey(), Set.of()))
                        + " claims to show it: remove one of the two");
        return Stream.of(ofClaims, ofRemarks, contradictions)
                .flatMap(each -> each)
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the page as Markdown. */
    String render() {
        StringBuilder page = new StringBuilder(HEAD);
        groups().forEach((group, ids) -> page.append(row(group, ids)));
        page.append(row("all", List.copyOf(catalogue.titles().keySet())));
        page.append("\n| id | requirement | tests |\n|---|---|---|\n");
        catalogue
                .titles()
                .forEach((id, title) -> page.append("| ")
                        .append(id)
                        .append(" | ")
                        .append(text(title))
                        .append(" | ")
                        .append(status(id))
                        .append(" |\n"));
        return page.toString();
    }

    private String status(String id) {
        List<String> parts = new ArrayList<>();
        if (shown.containsKey(id)) {
            parts.add(names(shown.get(id)));
        } else {
            MatrixRemarks.Remark remark = remarks.byId().get(id);
            parts.add(remark == null ? "open" : word(remark.state()) + ": " + text(remark.reason()));
        }
        if (conditional.containsKey(id)) {
            parts.add("not in every build: " + names(conditional.get(id)));
        }
        return String.join("; ", parts);
    }

    private static String names(Set<String> tests) {
        return "`" + String.join("`, `", tests) + "`";
    }

    private static String text(String plain) {
        return plain.replace("|", "\\|").replace("<", "&lt;");
    }

    private static String word(MatrixRemarks.State state) {
        return switch (state) {
            case DIFFERS -> "*differs*";
            case OPEN -> "open";
        };
    }

    private String row(String group, List<String> ids) {
        long withTest = ids.stream().filter(shown::containsKey).count();
        long differs = ids.stream()
                .map(remarks.byId()::get)
                .filter(remark -> remark != null && remark.state() == MatrixRemarks.State.DIFFERS)
                .count();
        return "| " + group + " | " + ids.size() + " | " + withTest + " | " + differs + " | "
                + (ids.size() - withTest - differs) + " |\n";
    }

    private Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (String id : catalogue.titles().keySet()) {
            String group = id.substring(0, id.indexOf('-'));
            groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(id);
        }
        return groups;
    }
}
