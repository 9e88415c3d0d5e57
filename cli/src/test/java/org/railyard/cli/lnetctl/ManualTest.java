package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.control.Operation;
import org.railyard.control.OperationCodec;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Tunable;
import org.railyard.testkit.Requirement;

/** The manual against the product. */
final class ManualTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

    static Stream<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(DOCS.resolve("examples"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    private static String page(String name) throws IOException {
        return Files.readString(DOCS.resolve(name));
    }

    @ParameterizedTest
    @MethodSource("examples")
    @Requirement("doc-005")
    void examplesAreImportedAndComeBack(Path file) throws IOException {
        assertThat(page("configuration.md")).contains("(examples/" + file.getFileName() + ")");
        try (World world = new World()) {
            world.run("lnet configure");
            World.Result check = world.run("import --check " + file);
            assertThat(check.exit()).as(check.err()).isZero();
            assertThat(check.err()).isEmpty();
            assertThat(check.out()).startsWith("check:").doesNotContain("nothing would change");
            assertThat(world.run("import " + file).err()).isEmpty();
            String backup = world.run("export --backup").out();
            world.run("lnet unconfigure");
            world.run("lnet configure");
            assertThat(world.run("guest1", List.of("import"), backup).err()).isEmpty();
            // Equal routes are taken in any order, so that not all nodes take the same one first.
            assertThat(world.run("export --backup").out().lines().sorted())
                    .containsExactlyElementsOf(backup.lines().sorted().toList());
        }
    }

    @Test
    @Requirement("doc-005")
    void thePagesOfTunablesAndCommandsAreMadeOfWhatCounts() throws IOException {
        DocPage.check("tunables.md", TunablesPage.markdown());
        DocPage.check("lnetctl-commands.md", CommandsPage.markdown());
    }

    @Test
    @Requirement("doc-005")
    void eachDifferenceOfTheProfilesIsInOneTableWithItsReason() throws IOException {
        String page = page("configuration.md");
        List<String> rows = page.substring(page.indexOf("## Profiles"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .toList();
        List<Tunable> different = Arrays.stream(Tunable.values())
                .filter(each -> !each.spec().profiles().isEmpty())
                .toList();
        assertThat(rows).hasSameSizeAs(different);
        for (Tunable each : different) {
            StringBuilder row = new StringBuilder("| `" + each.text() + "` |");
            for (CompatProfile profile : CompatProfile.values()) {
                row.append(' ')
                        .append(each.spec().describe(each.defaultIn(profile)))
                        .append(" |");
            }
            assertThat(rows)
                    .as(row.toString())
                    .anyMatch(line -> line.matches(Pattern.quote(row.toString()) + " .+ \\|"));
        }
    }

    @Test
    @Requirement("doc-015")
    void eachOperationOfTheApiIsThereWithItsFields() throws IOException {
        List<String> lines = page("dlc.md").lines().toList();
        for (String path : OperationCodec.paths()) {
            Class<? extends Operation> type = Objects.requireNonNull(OperationCodec.typeOf(path));
            String fields = String.join(", ", OperationCodec.fieldsOf(type).keySet());
            assertThat(lines).contains("| `" + path + "` | " + fields + (fields.isEmpty() ? "|" : " |"));
        }
    }

    @Test
    @Requirement("doc-005")
    void theManualLeadsToAllPagesAndNoLinkLeadsNowhere() throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.list(DOCS)) {
            pages = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        String manual = page("manual.md");
        for (Path each : pages) {
            String name = each.getFileName().toString();
            assertThat(name.equals("manual.md") || manual.contains("(" + name + ")"))
                    .as(name)
                    .isTrue();
            Matcher link = LINK.matcher(Files.readString(each));
            while (link.find()) {
                assertThat(DOCS.resolve(link.group(1))).as(name).exists();
            }
        }
    }
}
