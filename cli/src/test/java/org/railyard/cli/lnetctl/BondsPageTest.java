package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.Bonds;
import org.railyard.testkit.Requirement;

/** The page on bonds against the product, and against what it has to tell (spec 21 §10.1). */
final class BondsPageTest {
    private String page;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    BondsPageTest() {}

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("..", "docs", "bonds.md"));
    }

    private String chapter(String title) {
        String from = page.substring(page.indexOf("\n## " + title + "\n") + 1);
        int end = from.indexOf("\n## ");
        return end < 0 ? from : from.substring(0, end);
    }

    /** Returns the rows of a chapter's table, below its head, as cells. */
    private List<List<String>> table(String title) {
        return chapter(title)
                .lines()
                .filter(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    @Test
    @Requirement("cb-206")
    void tellsWhatSpeaksForBondsAndWhatAgainst() {
        assertThat(chapter("Is it worth it?")).contains("| For bonds | Against |");
        List<List<String>> rows = table("Is it worth it?");
        List<String> forBonds = rows.stream().map(List::getFirst).toList();
        List<String> against = rows.stream().map(List::getLast).toList();
        for (String point : List.of(
                "clear when configuring", "different nets", "what peers see", "everything that Multi-Rail has")) {
            assertThat(forBonds).as(point).anyMatch(cell -> cell.contains(point));
        }
        for (String point : List.of("one more step of configuration", "more cases", "more work")) {
            assertThat(against).as(point).anyMatch(cell -> cell.contains(point));
        }
    }

    @Test
    @Requirement("cb-206")
    void theStepThatBondsTakeIsOptional() {
        try (BondWorld world = new BondWorld("", Map.of())) {
            world.run("lnet configure");
            world.run("net add --net o2ib --if ib0,ib1");
            String before = world.run("export --backup").out();
            assertThat(before).doesNotContain("bond:");
            assertThat(world.run("bond show").out()).isEmpty();
            world.run("bond add --name fs1 --type local --nid 10.1.0.2@o2ib");
            assertThat(world.run("bond show").out()).contains("name: fs1", "name: default", "nid: 10.1.1.2@o2ib");
            world.run("bond del --name fs1");
            assertThat(world.run("export --backup").out()).isEqualTo(before);
        }
    }

    @Test
    @Requirement({"cb-200", "cb-206"})
    void itsCommandsAndItsFileWork() {
        String making = chapter("Making bonds");
        List<String> commands = making.lines()
                .filter(line -> line.startsWith("    lnetctl "))
                .map(line -> line.strip().substring("lnetctl ".length()).replaceFirst(" +#.*", ""))
                .toList();
        assertThat(commands).hasSizeGreaterThan(4).last().isEqualTo("bond del --name fs1");
        String file = making.substring(making.indexOf("    bond:\n"))
                .lines()
                .takeWhile(line -> line.startsWith("    "))
                .map(line -> line.substring(4) + "\n")
                .reduce("", String::concat);
        try (BondWorld world = new BondWorld("", Map.of())) {
            world.run("lnet configure");
            for (String command : commands) {
                World.Result result = world.run(command);
                assertThat(result.exit()).as("%s: %s", command, result.err()).isZero();
            }
            assertThat(world.run("bond show").out()).doesNotContain("fs1");
            World.Result read = world.run("import", file);
            assertThat(read.err()).isEmpty();
            assertThat(world.run("export --backup").out()).contains("10.0.0.5@tcp", "10.0.0.6@tcp");
            assertThat(world.run("import --del", file).err()).isEmpty();
        }
    }

    @Test
    @Requirement({"cb-200", "cb-203"})
    void itsLimitsAndPoliciesAreThoseOfTheProduct() {
        assertThat(page).contains("at most " + Bonds.MAX_BONDS + " bonds of " + Bond.MAX_NIDS + " NIDs each");
        assertThat(table("Which way a message goes"))
                .extracting(List::getFirst)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(BondPolicy.values())
                        .map(policy -> "`" + policy.text() + "`")
                        .toList());
    }
}
