package org.railyard.checks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The page that shows which test shows which requirement. The same input always gives the same page. */
final class MatrixPage {
    private MatrixPage() {}

    /** Returns a complaint for each claim whose id is not in the catalogue. */
    static List<String> unknownIds(Catalogue catalogue, List<Claim> claims) {
        return claims.stream()
                .filter(claim -> !catalogue.titles().containsKey(claim.id()))
                .map(claim -> claim.test() + ": no specification has the requirement " + claim.id())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the page as Markdown. */
    static String render(Catalogue catalogue, List<Claim> claims) {
        Map<String, TreeSet<String>> tests = new TreeMap<>();
        for (Claim claim : claims) {
            tests.computeIfAbsent(claim.id(), _ -> new TreeSet<>()).add(claim.test());
        }
        StringBuilder page = new StringBuilder();
        page.append("# Requirements and the tests that show them\n\n");
        page.append("Written by `mvn verify` from the `@Requirement` annotations of the tests; do not edit.\n");
        page.append("A requirement without a test is open: not built yet, or built and not shown by a test that says"
                + " so.\n\n");
        page.append("| group | requirements | with a test |\n|---|---|---|\n");
        int[] sum = new int[2];
        groups(catalogue).forEach((group, ids) -> {
            int shown = (int) ids.stream().filter(tests::containsKey).count();
            sum[0] += ids.size();
            sum[1] += shown;
            page.append(row(group, ids.size(), shown));
        });
        page.append(row("all", sum[0], sum[1]));
        page.append("\n| id | requirement | tests |\n|---|---|---|\n");
        catalogue
                .titles()
                .forEach((id, title) -> page.append("| ")
                        .append(id)
                        .append(" | ")
                        .append(title.replace("|", "\\|").replace("<", "&lt;"))
                        .append(" | ")
                        .append(tests.containsKey(id) ? "`" + String.join("`, `", tests.get(id)) + "`" : "open")
                        .append(" |\n"));
        return page.toString();
    }

    private static String row(String group, int requirements, int shown) {
        return "| " + group + " | " + requirements + " | " + shown + " |\n";
    }

    private static Map<String, List<String>> groups(Catalogue catalogue) {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (String id : catalogue.titles().keySet()) {
            String group = id.substring(0, id.indexOf('-'));
            groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(id);
        }
        return groups;
    }
}
