package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.testkit.Requirement;

/**
 * LNet's bonds with the tool, over sockets: a node with two bonds of three NIDs each, both on two nets, and another one
 * that looks at it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BondsTest {
    private static final String BONDS = """
        bond:
            - name: A1
              type: local
              policy: ordered
              nids:
                  - nid: 127.99.2.11@tcp
                  - nid: 127.99.3.11@tcp1
                  - nid: 127.99.4.11@tcp
            - name: A2
              type: local
              policy: default
              nids:
                  - nid: 127.99.5.11@tcp1
                  - nid: 127.99.6.11@tcp
                  - nid: 127.99.7.11@tcp1
        """;

    private static final String NETS = """
        net:
            - net type: tcp
              local NI(s):
                - nid: 127.99.2.11@tcp
                - nid: 127.99.4.11@tcp
                - nid: 127.99.6.11@tcp
            - net type: tcp1
              local NI(s):
                - nid: 127.99.3.11@tcp1
                - nid: 127.99.5.11@tcp1
                - nid: 127.99.7.11@tcp1
        """;

    private final World world;

    BondsTest() throws IOException {
        world = new World();
    }

    @AfterAll
    void close() {
        world.close();
    }

    @BeforeEach
    void start() {
        for (String node : List.of("guest1", "guest2")) {
            world.run(node, List.of("lnet", "unconfigure"), "");
            assertThat(world.run(node, List.of("lnet", "configure"), "").exit()).isZero();
        }
    }

    private String ok(String node, String line, String input) {
        World.Result result = world.run(node, Words.of(line), input);
        assertThat(result.exit()).as(line + ": " + result.err()).isZero();
        return result.out();
    }

    private String ok(String line) {
        return ok("guest1", line, "");
    }

    private void two() {
        ok("guest1", "import", BONDS + NETS);
        for (String nid : List.of("127.99.0.12@tcp", "127.99.1.12@tcp1")) {
            ok("guest2", "net add --nid " + nid, "");
        }
    }

    @Test
    @Requirement({"cb-200", "cb-204", "cb-205"})
    void anotherNodeDiscoversEachBondAsANodeOfItsOwn() {
        two();
        assertThat(ok("guest2", "ping 127.99.2.11@tcp", ""))
                .contains("127.99.2.11@tcp", "127.99.3.11@tcp1", "127.99.4.11@tcp")
                .doesNotContain("127.99.5.11", "127.99.6.11", "127.99.7.11");
        ok("guest2", "discover 127.99.4.11@tcp", "");
        ok("guest2", "discover 127.99.7.11@tcp1", "");
        assertThat(ok("guest2", "peer show", "")
                        .lines()
                        .filter(line -> line.contains("nid:"))
                        .map(line -> line.strip().replaceFirst("^- +", "- ")))
                .containsExactlyInAnyOrder(
                        "- primary nid: 127.99.2.11@tcp",
                        "- nid: 127.99.2.11@tcp",
                        "- nid: 127.99.4.11@tcp",
                        "- nid: 127.99.3.11@tcp1",
                        "- primary nid: 127.99.5.11@tcp1",
                        "- nid: 127.99.5.11@tcp1",
                        "- nid: 127.99.7.11@tcp1",
                        "- nid: 127.99.6.11@tcp");
        // It may not have come to that by itself yet.
        ok("discover 127.99.1.12@tcp1");
        assertThat(ok("peer list")).as("from this side it is one peer").containsOnlyOnce("nid:");

        assertThat(ok("explain path --to 127.99.0.12@tcp --from 127.99.7.11@tcp1"))
                .contains("in another bond, NI is in bond A1, the message in bond A2");
        assertThat(ok("explain path --to 127.99.0.12@tcp"))
                .contains("bond:", "1. bond A1", "2. bond A2", "behind by order", "behind by place in the bond");
    }

    @Test
    @Requirement("cb-200")
    void whatWasConfiguredIsShownExportedAndComesBack() {
        two();
        ok("net add --nid 127.99.8.11@tcp");
        assertThat(ok("bond show --name A1"))
                .isEqualTo(BONDS.lines()
                        .limit(8)
                        .map(line -> line.contains("nid:") ? line + "\n            status: up\n" : line + "\n")
                        .reduce("", String::concat));
        assertThat(ok("bond show")).contains("name: default", "127.99.8.11@tcp");
        ok("net del --nid 127.99.8.11@tcp");
        String backup = ok("export --backup");
        assertThat(backup).contains(BONDS);
        assertThat(ok("export")).contains(BONDS);
        start();
        ok("guest1", "import", backup);
        assertThat(ok("export --backup")).isEqualTo(backup);
        ok("guest1", "import", ok("bond show"));
        assertThat(ok("export --backup")).as("what is there already").isEqualTo(backup);
        assertThat(ok("guest1", "import --show", BONDS)).isNotNull();
        assertThat(ok("guest1", "--strict_options import --show", BONDS)).contains("status: up");
        assertThat(ok("guest1", "import --check", BONDS)).contains("extend bond A1", "extend bond A2");
        ok("guest1", "import --del", BONDS);
        assertThat(ok("bond show")).isEmpty();
    }

    @Test
    @Requirement("cb-200")
    void bondsChangeWhileTheNodeRunsAndEachChangeCanBeTakenBack() {
        two();
        String before = ok("export --backup");
        List<String> changes = List.of(
                "bond add --name R --type remote --nid 127.99.[0-1].12@tcp,127.99.1.12@tcp1 --policy round-robin",
                "bond add --name A2 --nid 127.99.9.11@tcp",
                "bond set --name A1 --policy balanced",
                "bond del --name A1 --nid 127.99.3.11@tcp1",
                "bond del --name A1");
        for (String change : changes) {
            ok(change);
            assertThat(ok("export --backup")).as(change).isNotEqualTo(before);
            ok("undo");
            assertThat(ok("export --backup")).as(change).isEqualTo(before);
        }
        ok("guest1", "import --confirm-within 60s", "bond: [{name: A3, type: local, nids: [{nid: 127.99.9.11@tcp}]}]");
        assertThat(ok("bond show --name A3")).contains("status: absent");
        ok("undo");
        assertThat(ok("export --backup")).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        bond add --type local                             | --name NAME is missing
        bond add --name A3                                | say --type local or --type remote
        bond add --name A3 --type both                    | type 'both'; expected local or remote
        bond add --name default --type local              | and not 'default'
        bond add --name A1 --type local                   | there is a bond 'A1' already
        bond add --name A1 --type remote --nid 9@gni      | which is local
        bond add --name A1 --nid 127.99.2.11@tcp          | is in bond A1 already
        bond add --name A3 --type local --nid 127.99.2.11@tcp | is in bond A1 already; a NID is in one bond
        bond add --name A1 --nid 127.99.2                 | no list of NIDs
        bond add --name A1 --nid 0@lo                     | expected NIDs of one node
        bond add --name A1 --nid 127.99.8.[1-9]@tcp --policy first | policy 'first'; expected default, balanced
        bond add --name A1 --nid 127.99.[8-9].[0-253]@tcp | at most 128 NIDs in the list
        bond set --name A1                                | say --policy POLICY
        bond set --name A3 --policy ordered               | there is no bond 'A3'; 'lnetctl bond show'
        bond del                                          | --name NAME is missing
        bond del --name A3                                | there is no bond 'A3'
        bond del --name A1 --nid 127.99.5.11@tcp1         | 127.99.5.11@tcp1 is not in bond A1
        bond show --name A3                               | there is no bond 'A3'
        """)
    @Requirement("cb-200")
    void mistakesAreToldAndChangeNothing(String line, String says) {
        two();
        String before = ok("export --backup");
        World.Result result = world.run(line.strip());
        assertThat(result.exit()).isEqualTo(Exit.FAILED);
        assertThat(result.err()).contains(says);
        assertThat(ok("export --backup")).isEqualTo(before);
    }

    @Test
    @Requirement("cb-200")
    void aFileIsCheckedAsAWhole() {
        World.Result result = world.run("guest1", List.of("import"), """
            bond:
                - name: a
                  type: lokal
                - name: b
                  type: local
                  nids: [{nid: 127.99.2.11@tcp}, {nid: 127.99.2}]
                - name: c
                  type: local
                  policy: first
                  nids: [{nid: 127.99.2.11@tcp}]
                - name: d
                  type: local
                  nids: [{nid: 127.99.3.11@tcp}]
                - name: d
                  type: remote
                - name: e
                  type: local
                  nids: [127.99.3.11@tcp]
                - name: f g
                  type: local
                - type: local
                  nid: 127.99.9.11@tcp
            """);
        assertThat(result.exit()).isNotZero();
        assertThat(result.err())
                .contains(
                        "invalid value 'lokal' for key 'type'",
                        "invalid value '127.99.2",
                        "9:15: expected one of default, balanced, round-robin, ordered",
                        "14:13: found the bond d again",
                        "16:7: found 127.99.3.11@tcp in bond e",
                        "'f g' as the name of a bond",
                        "invalid key 'nid'",
                        "expected one of name, type, policy, nids",
                        "without 'name'");
        assertThat(ok("bond show")).isEmpty();
    }
}
