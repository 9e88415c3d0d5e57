package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes that the tool has always overlooked: told, and with {@code --strict_options} refused. */
final class StrictTest extends ConfiguredNode {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "net show --bogus",
                "net add --net tcp --if eth0 --credits lots",
                "net add --net tcp --if eth0 --credits 99999999999",
                "route add --net tcp5 --gateway 10.0.0.1@tcp --hop many"
            })
    void overlookedUnlessOneIsStrict(String line) {
        world.run("net add --net tcp --if eth1");
        String before = world.run("export --backup").out();
        World.Result strict = world.run("--strict_options " + line);
        assertThat(strict.exit()).isEqualTo(234);
        assertThat(strict.err()).contains("lnetctl: ");
        assertThat(world.run("export --backup").out()).isEqualTo(before);
        World.Result usual = world.run(line);
        assertThat(usual.exit()).as(usual.err()).isZero();
        assertThat(usual.err()).containsAnyOf("unknown option --bogus", "and is overlooked; its default counts");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "peer set --all --health good",
                "net set --all --health 1e3",
                "route show --hop x",
                "udsp show --idx first",
                "ping --timeout soon 10.0.0.1@tcp",
                "fault drop add -s * -d * -r often"
            })
    void elsewhereWhatIsNoNumberIsAlwaysRefused(String line) {
        World.Result result = world.run(line);
        assertThat(result.exit()).isEqualTo(234);
        assertThat(result.err()).contains("is no whole number; nothing was done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4294967296", "-4294967296"})
    void aWholeNumberThatIsTooLargeIsNotCalledNone(String number) {
        assertThat(world.run("route show --hop " + number).err())
                .contains("--hop '" + number + "' is out of range; nothing was done");
        assertThat(world.run("route add --net tcp9 --gateway 10.0.0.9@tcp --priority " + number)
                        .err())
                .contains("--priority '" + number + "' is out of range and is overlooked; its default counts");
    }

    @Test
    void twoNamesOfOneOptionDoNotContradictEachOther() {
        world.run("net add --net tcp --if eth1");
        for (String line : List.of(
                "route add --net tcp5 --gateway 10.0.0.9@tcp --hop 1 --hop-count 2",
                "route add --net tcp5 --gateway 10.0.0.9@tcp --hop-count 2 -c 1",
                "route show --hop 1 --hop-count 2",
                "peer add --prim_nid 10.0.0.8@tcp --nid 10.0.0.9@tcp --ip2nets 10.0.0.10@tcp")) {
            World.Result result = world.run(line);
            assertThat(result.exit()).as(line).isEqualTo(234);
            assertThat(result.err()).contains("are one option with two values; give it once");
        }
        assertThat(world.run("route show").out() + world.run("peer show").out()).isEmpty();
        World.Result same = world.run("route add --net tcp5 --gateway 10.0.0.9@tcp --hop 2 --hop-count 0x2");
        assertThat(same.exit()).as(same.err()).isZero();
        assertThat(world.run("route show -v").out()).contains("hop: 2");
    }

    @Test
    void wordsThatAreTooManyAreToldOfToo() {
        World.Result usual = world.run("set numa_range 5 6");
        assertThat(usual.exit()).isZero();
        assertThat(usual.err()).contains("set numa_range: found '6', expected only VALUE; it is overlooked");
        World.Result strict = world.run("--strict_options set numa_range 7 8");
        assertThat(strict.exit()).isEqualTo(234);
        assertThat(world.run("global show").out()).contains("numa_range: 5");
        assertThat(world.run("import /dev/null /nosuch").err()).contains("found '/nosuch', expected only [FILE]");
        assertThat(world.run("--strict_options ping 10.0.0.1@tcp 10.0.0.2@tcp").err())
                .doesNotContain("expected only");
    }

    @Test
    void whatOnlyTellsOrContradictsItselfChangesNothing() {
        world.run("net add --net tcp --if eth0");
        String file = "net: [{net type: tcp, local NI(s): [{interfaces: {0: eth0}}]}]";
        String before = world.run("export --backup").out();
        for (String options : List.of(
                "--check --del",
                "--check --show",
                "--check --exec",
                "--check --confirm-within 5",
                "--show --confirm-within 5",
                "--add --del")) {
            List<String> words = new ArrayList<>(List.of("import"));
            words.addAll(List.of(options.split(" ")));
            World.Result result = world.run("guest1", words, file);
            assertThat(result.exit()).as(options).isEqualTo(234);
            assertThat(result.err()).as(options).contains("nothing was done");
        }
        assertThat(world.run("export --backup").out()).isEqualTo(before);
        assertThat(world.run("set numa_range 3").exit())
                .as("nothing waits to be confirmed")
                .isZero();
    }

    @Test
    void strictnessIsAWordOfItsOwnAmongCommandsThatAreRead() {
        String bad = "net show --bogus\nset numa_range 5\n";
        assertThat(world.run("guest1", List.of(), bad).exit()).isZero();
        assertThat(world.run("guest1", List.of(), "strict_options\n" + bad).exit())
                .isEqualTo(234);
        assertThat(world.run("guest1", List.of(Lnetctl.STRICT), bad).exit()).isEqualTo(234);
    }

    @Test
    void whoIsStrictIsShownAllThatAFileLists() {
        String file = """
            net: [{net type: tcp, interfaces: {0: eth0}}]
            peer: [{primary nid: 10.0.0.5@tcp}]
            global: {retry_count: 3}
            udsp: [{src: tcp, action: {priority: 0}}]
            routing: {enable: 1}
            """;
        assertThat(world.run("guest1", List.of("import"), file).err()).isEmpty();
        world.run("peer add --prim_nid 10.0.0.6@tcp");
        String usual = world.run("guest1", List.of("import", "--show"), file).out();
        assertThat(topKeys(usual)).containsExactly("net");
        String strict = world.run("guest1", List.of(Lnetctl.STRICT, "import", "--show"), file)
                .out();
        assertThat(topKeys(strict)).containsExactly("net", "peer", "routing", "buffers", "global", "udsp");
        assertThat(strict).startsWith(usual).contains("10.0.0.5@tcp").doesNotContain("10.0.0.6@tcp");
    }

    private static List<String> topKeys(String yaml) {
        List<String> keys = new ArrayList<>();
        yaml.lines().filter(line -> line.matches("[a-z]+:.*")).forEach(line -> keys.add(line.replace(":", "")));
        return keys;
    }

    @Test
    void whatIsOddInAFileIsToldWithItsPlaceAndDoneAllTheSame() {
        String file = """
            net:
              - net type: tcp
                local NI(s):
                  - interfaces: {0: eth0}
                    lnd tunables: {conns_per_peer: 1, nqps: 4}
            """;
        World.Result check = world.run("guest1", List.of("import", "--check"), file);
        World.Result done = world.run("guest1", List.of("import"), file);
        String warning =
                "lnetctl: warning: stdin:5:43: found the tunable of the transport 'nqps', which has no effect here";
        assertThat(check.err()).startsWith(warning);
        assertThat(check.out()).startsWith("check:").doesNotContain("warnings");
        assertThat(done.exit()).isZero();
        assertThat(done.out()).isEmpty();
        assertThat(done.err()).startsWith(warning).hasLineCount(1);
        assertThat(world.run("net show").out()).contains("eth0");
    }
}
