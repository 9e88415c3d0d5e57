package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.testkit.Requirement;

/** The behaviours that the reference lists as worth a test, case by case (spec 12 §9). */
@Requirement("tst-010")
final class ListedBehavioursTest extends ConfiguredNode {
    private World.Result imported(String document) {
        return world.run("guest1", List.of("import"), document);
    }

    @Test
    void aBackupComesBackOnAFreshNode() {
        world.run("net add --net tcp --if eth0,eth1");
        world.run("peer add --prim_nid 10.0.0.1@tcp --nid 10.0.0.[2-4]@tcp");
        String backup = backup();
        world.run("lnet unconfigure");
        world.run("lnet configure");
        assertThat(imported(backup).exit()).isZero();
        assertThat(backup()).isEqualTo(backup);
    }

    @Test
    void nidsOfAPeerMayNameItsPrimaryAgain() {
        assertThat(world.run("peer add --prim_nid 10.0.0.1@tcp --nid 10.0.0.[1-4]@tcp")
                        .exit())
                .isZero();
        assertThat(world.run("peer show").out())
                .containsOnlyOnce("-     nid: 10.0.0.1@tcp")
                .contains("10.0.0.4@tcp");
    }

    @Test
    void aNidOfAnotherPeerIsRefused() {
        world.run("peer add --prim_nid 10.0.0.1@tcp --nid 10.0.0.2@tcp");
        String before = backup();
        World.Result second = world.run("peer add --prim_nid 10.0.0.9@tcp --nid 10.0.0.2@tcp");
        assertThat(second.exit()).isEqualTo(234);
        assertThat(second.out()).isEmpty();
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    @Requirement({"cfg-070", "cfg-075"})
    void nidsComeToAPeerAndGoByCommandAndByFile() {
        world.run("peer add --prim_nid 10.0.0.1@tcp --nid 10.0.0.2@tcp,10.1.0.1@o2ib");
        assertThat(world.run("peer show").out()).contains("10.0.0.2@tcp", "10.1.0.1@o2ib");
        world.run("peer del --prim_nid 10.0.0.1@tcp --nid 10.0.0.2@tcp");
        assertThat(world.run("peer show").out()).doesNotContain("10.0.0.2@tcp").contains("10.1.0.1@o2ib");
        String file = """
            peer:
              - primary nid: 10.0.0.1@tcp
                Multi-Rail: True
                peer ni:
                  - nid: 10.0.0.1@tcp
                  - nid: 10.0.0.7@tcp1
            """;
        assertThat(imported(file).exit()).isZero();
        assertThat(world.run("peer show").out()).contains("10.0.0.7@tcp1");
        assertThat(world.run("guest1", List.of("import", "--del"), file.replace("      - nid: 10.0.0.1@tcp\n", ""))
                        .exit())
                .isZero();
        assertThat(world.run("peer show").out()).doesNotContain("10.0.0.7@tcp1").contains("10.0.0.1@tcp");
    }

    @Test
    void aFileIsTakenBackWithNetsAndThePeersOnThem() {
        String before = backup();
        String file = """
            net:
              - net type: tcp
                interfaces: {0: eth0}
              - net type: tcp1
                interfaces: {0: eth1}
            peer:
              - primary nid: 10.0.0.1@tcp
              - primary nid: 10.0.0.2@tcp
                peer ni:
                  - nid: 10.0.0.2@tcp
                  - nid: 10.1.0.2@tcp1
            """;
        assertThat(imported(file).exit()).isZero();
        World.Result deleted = world.run("guest1", List.of("import", "--del"), file);
        assertThat(deleted.err()).isEmpty();
        assertThat(deleted.exit()).isZero();
        assertThat(backup()).isEqualTo(before);
        assertThat(imported(file).exit()).isZero();
        String first = file.substring(0, file.indexOf("  - net type: tcp1")) + file.substring(file.indexOf("peer:"));
        assertThat(world.run("guest1", List.of("import", "--del"), first).err()).isEmpty();
        assertThat(world.run("peer list").out()).as("left on tcp1").isEmpty();
        assertThat(world.run("guest1", List.of("import", "--del"), "peer: [{primary nid: 10.0.0.1@tcp}]")
                        .err())
                .as("it was not there")
                .contains("there is no peer with the NID 10.0.0.1@tcp", "errno: -2");
    }

    @Test
    void aListWithThePrimaryDeletesThePeer() {
        world.run("peer add --prim_nid 10.0.0.1@tcp --nid 10.0.0.[2-3]@tcp");
        assertThat(world.run("peer del --prim_nid 10.0.0.1@tcp --nid 10.0.0.[1-2]@tcp")
                        .exit())
                .isZero();
        assertThat(world.run("peer show").out()).isEmpty();
    }

    @Test
    void aLockedPeerGoesOnlyByForce() {
        world.run("peer add --prim_nid 10.0.0.1@tcp --nid 10.0.0.2@tcp --lock_prim");
        var kept = world.run("peer del --prim_nid 10.0.0.1@tcp");
        assertThat(kept.exit()).isZero();
        assertThat(kept.err())
                .isEqualTo("lnetctl: warning: peer 10.0.0.1@tcp stays, its primary NID is locked: only"
                        + " its other NIDs are deleted; --force deletes it\n");
        assertThat(world.run("peer list").out()).contains("10.0.0.1@tcp");
        assertThat(world.run("peer del --prim_nid 10.0.0.1@tcp --force").err()).isEmpty();
        assertThat(world.run("peer list").out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'peer: [{primary nid: 10.0.0.1@tcp, Multi-Rail: Foobar}]' | true or false",
                "'global: {discovery: }' | expected",
                "'global: {discovery: yes please}' | expected",
                "'net: [{net type: tcp, local NI(s): [{interfaces: {0: eth0}, CPT: \"[0,\"}]}]' | expected",
                "'net: [{net type: tcp, local NI(s): [{interfaces: {0: eth0}, CPT: \"0]\"}]}]' | expected"
            })
    void aBadValueInAFileChangesNothing(String document, String says) {
        String before = backup();
        World.Result refused = imported(document);
        assertThat(refused.exit()).as(refused.out() + refused.err()).isEqualTo(234);
        assertThat(refused.err()).contains("add:\n-     import:", "errno: -22", says);
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    void ofTwoRulesForANetTheFirstThatFitsCounts() {
        assertThat(imported("""
            ip2nets:
              - {net-spec: tcp, interfaces: {0: eth1}}
              - {net-spec: tcp, interfaces: {0: eth0}}
            """).exit()).isZero();
        assertThat(world.run("net show").out()).contains("eth1").doesNotContain("eth0");
    }

    @Test
    void whatARuleForAddressesMadeIsShownAndDeletedByTheSameFile() {
        String file = "ip2nets: [{net-spec: tcp, interfaces: {0: eth1}}]";
        assertThat(imported(file).exit()).isZero();
        assertThat(world.run("guest1", List.of("import", "--show"), file).out()).contains("0: eth1");
        World.Result deleted = world.run("guest1", List.of("import", "--del"), file);
        assertThat(deleted.exit()).as(deleted.err()).isZero();
        assertThat(world.run("net show").out()).doesNotContain("eth1");
        World.Result again = world.run("guest1", List.of("import", "--del"), file);
        assertThat(again.exit()).isEqualTo(234);
        assertThat(again.err()).contains("errno: -19", "stdin:1:11: there is no NI eth1 on tcp");
        World.Result elsewhere =
                world.run("guest1", List.of("import", "--del"), "ip2nets: [{net-spec: tcp, interfaces: {0: eth7}}]");
        assertThat(elsewhere.exit()).isEqualTo(234);
        assertThat(elsewhere.err()).contains("errno: -22", "no rule of the section 'ip2nets' is for an address");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"route: [{net: tcp5, gateway: '127.99.0.[13,12]@tcp'}]", "udsp: [{src: tcp, dst: 10.0.0.5@tcp}]"
            })
    void aCheckRefusesWhatTheImportWouldRefuseBecauseItIsThere(String file) {
        world.run("net add --net tcp --if eth0");
        assertThat(imported("route: [{net: tcp5, gateway: 127.99.0.12@tcp}]").exit())
                .isZero();
        assertThat(imported("udsp: [{src: tcp, dst: 10.0.0.5@tcp}]").exit()).isZero();
        String before = backup();
        World.Result check = world.run("guest1", List.of("import", "--check"), file);
        World.Result refused = imported(file);
        assertThat(refused.exit()).isEqualTo(234);
        assertThat(check).isEqualTo(refused);
        assertThat(backup()).isEqualTo(before);
    }

    /** A route stays with its gateway when the NID that it names goes to another peer. */
    @Test
    void aCheckRefusesASecondRouteByANidThatHasMoved() {
        String file = "route: [{net: tcp5, gateway: 127.99.0.13@tcp}]";
        world.run("net add --net tcp --if eth0");
        world.run("peer add --prim_nid 127.99.0.12@tcp --nid 127.99.0.13@tcp");
        assertThat(imported(file).exit()).isZero();
        assertThat(world.run("peer set --nid 127.99.0.12@tcp --state 0").err()).isEmpty();
        assertThat(world.run("peer add --prim_nid 127.99.0.14@tcp --nid 127.99.0.13@tcp")
                        .err())
                .isEmpty();
        World.Result check = world.run("guest1", List.of("import", "--check"), file);
        assertThat(check.err())
                .contains(
                        "there is a route to tcp5 through 127.99.0.12@tcp already, by 127.99.0.13@tcp, which was its");
        assertThat(check).isEqualTo(imported(file));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set health_sensitivity 0; set retry_count 3 | 195 | -61",
                "set transaction_timeout 2 | 195 | -61",
                "net add --nid 127.99.0.11@tcp --net tcp | 234 | -22",
                "net add --net tcp --if eth0; route add --net tcp5 --gateway 127.99.0.12@tcp; net add --net tcp5 --if"
                        + " eth1 | 234 | -87",
                "net add --net tcp --if eth0; net set --lnd-timeout 5 --all | 234 | -22"
            })
    void refusals(String lines, int exit, int errno) {
        String[] all = lines.split("; ");
        for (int i = 0; i + 1 < all.length; i++) {
            assertThat(world.run(all[i]).exit()).as(all[i]).isZero();
        }
        String before = backup();
        World.Result refused = world.run(all[all.length - 1]);
        assertThat(refused.exit()).as(refused.err()).isEqualTo(exit);
        assertThat(refused.err()).contains("errno: " + errno + "\n");
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    void healthOf0TakesAnNiDownAndFullHealthBrings() {
        world.run("net add --net tcp --if eth0,eth1");
        world.run("net set --nid 127.99.0.11@tcp --health 0");
        assertThat(world.run("net show -v 2").out()).contains("state: FAILED", "health value: 0");
        world.run("net set --nid 127.99.0.11@tcp --health 1000");
        assertThat(world.run("net show -v 2").out()).doesNotContain("state: FAILED");
    }
}
