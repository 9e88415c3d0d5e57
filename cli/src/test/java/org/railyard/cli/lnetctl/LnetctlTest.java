package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.control.DlcException;
import org.railyard.control.NetOperation;
import org.railyard.control.Operation;
import org.railyard.control.PeerOperation;
import org.railyard.control.RouteOperation;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.testkit.Requirement;

/** The tool where it goes beyond the real one, and the command line itself. */
final class LnetctlTest extends ConfiguredNode {
    @TempDir
    private Path dir = Path.of("");

    private World.Result importText(String text, String options) throws IOException {
        Path file = Files.writeString(dir.resolve("c.yaml"), text);
        return world.run("import " + options + " " + file);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--help                    | 0   | usage:",
                "help net                  | 0   | net {add",
                "--version                 | 0   | lnetctl test",
                "list-commands             | 0   | lnet                route",
                "net --help                | 1   | lnetctl net add",
                "net add --help            | 1   | --conns-per-peer, -m N",
                "import --help             | 0   | --confirm-within SECONDS",
                "set retry_count --help    | 1   | VALUE",
                "net                       | 234 | usage:",
                "fault drop                | 234 | usage:",
                "-h                        | 0   | usage:",
                "net -h                    | 1   | lnetctl net add",
                "net add -h                | 1   | --conns-per-peer, -m N",
                "stats show -x             | 0   | unknown option -x; the options are overlooked",
                "--strict_options stats show -x | 234 | unknown option -x",
                "stats show --sum tcp9     | 237 | there is no NI on tcp9",
                "debug ni --net tcp --index 7 | 234 | there is no NI 7 on tcp",
                "debug peer --index 0      | 234 | there is no peer 0",
                "debug peer                | 234 | either --nid NID or --index N",
                "peer show --max 0         | 234 | expected 1 or more",
                "set numa_range -1         | 0   | ''",
                "set numa_range -h         | 1   | set takes less as",
                "set recovery_interval 0   | 0   | ''",
                "set recovery_interval -h  | 1   | set takes any number",
                "net add --net tcp --if eth0 --credits 0        | 234 | credits 0; expected 1 or more",
                "net add --net tcp --if eth0 --peer-timeout -1  | 234 | peer_timeout -1; expected 0 or more",
                "ping --timeout 181 10.0.0.1@tcp | 234 | timeout 181 s; expected 0…180",
                "ping --timeout -1 10.0.0.1@tcp  | 234 | timeout -1 s; expected 0…180",
                "net set --all --conns-per-peer -1      | 234 | conns-per-peer -1; expected 0…127",
                "net set --net tcp --lnd-timeout -1     | 234 | lnd-timeout -1 s; expected 0 or more",
                "set tiny_buffers -5       | 222 | - buf:",
                "set large_buffers -5      | 222 | errno: -34",
                "net set --nid 127.99.0.99@tcp --cpt [0] | 234 | errno: -19",
                "net set --nid 127.99.0.99@tcp --health 5 | 234 | there is no NI 127.99.0.99@tcp here",
                "net set --net tcp7 --health 5 | 234 | there is no net tcp7 here",
                "nett show                 | 255 | did you mean 'net'?",
                "net sho                   | 255 | did you mean 'show'?",
                "net show --bogus          | 0   | unknown option --bogus",
                "net show --net            | 234 | needs a value: NET",
                "peer add --prim           | 234 | needs a value: NID",
                "peer add --n 1@tcp        | 0   | stands for several: --nid, --non_mr",
                "udsp add --priority 1     | 234 | a rule needs --src",
                "set numa_range 0x10       | 0   | ''",
                "set discovery             | 234 | the value is missing",
                "set discovery yes         | 255 | expected 0 or 1",
                "net show tcp              | 0   | net show: found 'tcp', expected only options, such as --net tcp; it"
                        + " is overlooked",
                "--strict_options net show tcp | 234 | such as --net tcp; nothing was done",
                "export /nonexistent/x     | 254 | can not be written: there is no folder /nonexistent",
                "debug nidlist 10.0.[0-1].[1-5]@tcp | 0 | 10.0.[0-1].[1-5]@tcp",
                "cpt-of-nid 10.0.0.1@tcp   | 0   | cpt: 0"
            })
    void theCommandLine(String line, int exit, String says) {
        World.Result result = world.run(line);
        assertThat(result.exit()).isEqualTo(exit);
        assertThat(result.out() + result.err()).contains(says);
    }

    @Test
    void programsAreRefusedWhatIsOutOfRangeToo() {
        for (Operation wrong : List.of(
                new PeerOperation.Show(null, 0, -1),
                new PeerOperation.Show(null, 5, 0),
                new NetOperation.Show(null, -2),
                new RouteOperation.Show(null, null, null, null, 5))) {
            assertThatThrownBy(() -> world.dlc("guest1").execute(wrong))
                    .isInstanceOfSatisfying(
                            DlcException.class,
                            e -> assertThat(e.failure().errno()).isEqualTo(Errno.EINVAL.status()))
                    .hasMessageContaining("expected 0…");
        }
        assertThat(world.run("net show -v 9").out())
                .as("people get all there is")
                .isEqualTo(world.run("net show -v 4").out());
    }

    @Test
    void commandsAreReadUntilOneFails() {
        World.Result stopped = world.run("guest1", List.of(), "set numa_range 1\nnope\nset numa_range 2\n");
        assertThat(stopped.exit()).isEqualTo(255);
        assertThat(backup()).contains("numa_range: 1");
        World.Result went = world.run("guest1", List.of(), "ignore_errors\nnope\nset numa_range 2\nquit\nnope\n");
        assertThat(went.exit()).isEqualTo(255);
        assertThat(backup()).contains("numa_range: 2");
        assertThat(world.run("guest1", List.of(), "").exit()).isZero();
    }

    @Test
    @Requirement("cfg-065")
    void anImportIsDoneAsAWholeOrNotAtAll() throws IOException {
        String before = backup();
        World.Result refused = importText("""
            net:
              - net type: tcp
                local NI(s):
                  - interfaces: {0: eth0}
                  - interfaces: {0: eth1}
                    CPT: "[9]"
            global: {retry_count: 3}
            """, "");
        assertThat(refused.exit()).isEqualTo(234);
        assertThat(refused.err()).contains("errno: -34", "c.yaml:5", "nothing was changed");
        assertThat(backup()).isEqualTo(before);
    }

    /** Rules fail every other message of a discovery, each in its own way, and it is sent again. */
    @Test
    @Requirement({"rsl-153", "rsl-154", "rsl-155", "rsl-161", "rsl-162"})
    void resendsAndTimesAreShown() {
        world.run("guest2", List.of("lnet", "configure"), "");
        for (String node : List.of("guest1", "guest2")) {
            assertThat(world.run(node, Words.of("net add --net tcp --if eth0,eth1"), "")
                            .exit())
                    .isZero();
        }
        world.run("set resend_on_remote_timeout 1");
        world.run("set resend_on_network_timeout 1");
        world.run("discover 127.99.0.12@tcp");
        assertThat(sum("net show -v 4", "resends_\\w+")).isZero();
        for (String error : List.of("local_timeout", "remote_timeout", "network_timeout")) {
            world.run("fault drop add --source *@tcp --dest *@tcp --rate 2 --message GET --health_error " + error);
            for (int i = 0; i < 2; i++) {
                assertThat(world.run("discover --force 127.99.0.12@tcp").exit()).isZero();
            }
            world.run("fault drop del --all");
        }
        assertThat(sum("net show -v 4", "resends_local_timeout")).isPositive();
        assertThat(sum("peer show -v 4", "resends_remote_timeout")).isPositive();
        assertThat(sum("net show -v 4", "resends_network_timeout"))
                .isPositive()
                .isEqualTo(sum("peer show -v 4", "resends_network_timeout"));
        assertThat(sum("peer show -v 4", "avg_send_nsec")).isPositive();
        assertThat(sum("peer show -v 4", "avg_transaction_nsec")).isPositive();
    }

    private long sum(String command, String key) {
        return Pattern.compile(key + ": (\\d+)")
                .matcher(world.run(command).out())
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    @Test
    @Requirement({"rsl-056", "rsl-068", "rsl-138", "rsl-146"})
    void limitsOfResendsAreSetByTheAdministrator() {
        for (String line : List.of(
                "set transaction_timeout 40",
                "set retry_count 4",
                "set resend_interval 250",
                "set health_sensitivity 70")) {
            assertThat(world.run(line).err()).as(line).isEmpty();
        }
        assertThat(world.run("global show").out())
                .contains("transaction_timeout: 40", "retry_count: 4", "health_sensitivity: 70");
        assertThat(backup())
                .contains(
                        "transaction_timeout: 40", "retry_count: 4", "resend_interval: 250", "health_sensitivity: 70");
    }

    /** A file from before Multi-Rail: one NI for each net, a peer of one NID, a route. */
    @Test
    @Requirement("bck-020")
    void aFileOfAnOldToolTakesEffect() throws IOException {
        world.run("guest2", List.of("lnet", "configure"), "");
        world.run("guest2", List.of("net", "add", "--net", "tcp", "--if", "eth0"), "");
        World.Result imported = importText("""
            net:
                - net type: tcp
                  nid: 127.99.0.11@tcp
                  status: up
                  interfaces:
                      0: eth0
                  tunables:
                      peer_timeout: 170
                      peer_credits: 9
                      peer_buffer_credits: 0
                      credits: 200
            route:
                - net: tcp5
                  gateway: 127.99.0.12@tcp
                  hop: 1
            routing:
                - enable: 0
            """, "");
        assertThat(imported.err()).isEmpty();
        assertThat(imported.exit()).isZero();
        assertThat(world.run("net show -v --net tcp").out())
                .contains("127.99.0.11@tcp", "0: eth0", "peer_timeout: 170", "peer_credits: 9", "credits: 200");
        assertThat(world.run("route show").out()).contains("net: tcp5", "gateway: 127.99.0.12@tcp");
        assertThat(world.run("ping 127.99.0.12@tcp --timeout 20").exit()).isZero();
    }

    @Test
    @Requirement({"cfg-160", "cfg-165", "cfg-050", "cfg-015"})
    void rulesGoThereAndBack() throws IOException {
        World.Result imported = importText("""
            net: [{net type: tcp, interfaces: {0: eth0}}]
            udsp:
              - idx: 0
                src: tcp
                action: {priority: 0}
              - dst: 127.99.1.[10-20]@tcp
                action: {priority: 1}
            peer:
              - primary nid: 127.99.0.50@tcp
                Multi-Rail: False
            buffers: {tiny: 600}
            routing: {enable: 1}
            """, "");
        assertThat(imported.err()).isEmpty();
        String backup = backup();
        assertThat(backup)
                .contains("Multi-Rail: false", "idx: 1", "dst: 127.99.1.[10-20]@tcp", "tiny: 600", "enable: 3");
        assertThat(world.run("udsp show --idx 1").out()).contains("idx: 1").doesNotContain("idx: 0");
        assertThat(world.run("udsp add --src 127.99.0.11@tcp --priority 3").exit())
                .isZero();
        assertThat(world.run("udsp show --idx 2").out()).contains("src: 127.99.0.11@tcp", "priority: 3");
        assertThat(world.run("udsp del --idx 2").exit()).isZero();
        assertThat(world.run("udsp show").out()).doesNotContain("idx: 2");
        assertThat(world.run("peer show --nid 127.99.0.50@tcp -v 4").out()).contains("nid priority: -1");
        world.run("lnet unconfigure");
        world.run("lnet configure");
        assertThat(importText(backup, "").err()).isEmpty();
        assertThat(backup()).isEqualTo(backup);
    }

    @Test
    @Requirement({"cfg-170", "cfg-060"})
    void allThatCanBeConfiguredGoesThereAndBack() {
        world.run("net add --net tcp --if eth0,eth1 --credits 128 --conns-per-peer 2 --tos 8 --cpt [0]");
        world.run("net set --net tcp --lnd-timeout 20");
        world.run("peer add --prim_nid 127.99.0.12@tcp --nid 127.99.1.12@tcp --lock_prim");
        world.run("route add --net tcp7 --gateway 127.99.0.12@tcp --hop 2 --priority 3");
        world.run("peer add --prim_nid 127.99.0.13@tcp --non_mr");
        world.run("udsp add --src 127.99.0.11@tcp --dst 127.99.0.12@tcp --priority 1 --count 4");
        world.run("udsp add --dst tcp --rte 127.99.0.12@tcp");
        for (String each : List.of(
                "small_buffers 4096",
                "routing 1",
                "numa_range 5",
                "drop_asym_route 1",
                "retry_count 3",
                "recovery_limit 77",
                "resend_interval 250",
                "timeout_formula lustre")) {
            assertThat(world.run("set " + each).err()).isEmpty();
        }
        String backup = backup();
        String full = world.run("export").out();
        assertThat(backup)
                .contains("lock_prim: true", "timeout: 20", "count: 4", "resend_interval: 250", "small: 4096")
                .contains("timeout_formula: lustre", "hop: 2", "Multi-Rail: false");
        for (String exported : List.of(backup, full)) {
            world.run("lnet unconfigure");
            world.run("lnet configure");
            assertThat(world.run("guest1", List.of("import"), exported).err()).isEmpty();
            assertThat(backup()).isEqualTo(backup);
        }
    }

    @Test
    void anNiMadeByItsNidComesBackWithIt() {
        assertThat(world.run("net add --nid 127.0.0.9@tcp").err()).isEmpty();
        assertThat(world.run("net add --net tcp1 --if eth0").err()).isEmpty();
        String backup = backup();
        assertThat(backup).contains("nid: 127.0.0.9@tcp", "0: eth0");
        for (String exported : List.of(backup, world.run("export").out())) {
            world.run("lnet unconfigure");
            world.run("lnet configure");
            assertThat(world.run("guest1", List.of("import"), exported).err()).isEmpty();
            assertThat(backup()).isEqualTo(backup);
        }
    }

    @Test
    void whatAConvertedRuleSaysOtherwiseIsToldBesideIt() {
        World.Result converted = world.run("convert --ip2nets 'tcp3(eth0) 127.0.0.*'");
        assertThat(converted.exit()).isZero();
        assertThat(converted.out()).contains("net-spec: tcp3", "0: eth0");
        assertThat(converted.err()).startsWith("lnetctl: warning: convert: ip2nets: tcp3(eth0): ");
        World.Result refused = world.run("convert --ip2nets 'tcp(eth0[0],eth1[1]) 10.1.*.*'");
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.err()).contains("different CPU partitions");
    }

    @Test
    void theServiceIdIsThatOfTheInfinibandTransport() {
        assertThat(world.run("service-id").out()).isEqualTo("service_id:\n    value: 0x00000000010603db\n");
    }

    @Test
    void aCheckChangesNothingAndTellsWhatWould() throws IOException {
        String before = backup();
        World.Result check = importText("""
            net: [{net type: tcp, interfaces: {0: eth0}}]
            global: {retry_count: 3}
            peer: [{primary nid: 10.0.0.1@tcp}]
            """, "--check");
        assertThat(check.exit()).isZero();
        assertThat(check.out()).contains("add NI eth0 on tcp", "set retry_count from 2 to 3", "add peer 10.0.0.1@tcp");
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    void aChangeThatNobodyConfirmsIsTakenBack() throws IOException {
        String before = backup();
        String change = "{net: [{net type: tcp, interfaces: {0: eth0}}], global: {retry_count: 3}}";
        assertThat(importText(change, "--confirm-within 60s").exit()).isZero();
        assertThat(backup()).contains("eth0");
        assertThat(world.run("set retry_count 1").err()).contains("waits to be confirmed");
        assertThat(world.run("undo").exit()).isZero();
        assertThat(backup()).isEqualTo(before);
        assertThat(importText(change, "--confirm-within 60").exit()).isZero();
        assertThat(world.run("confirm").exit()).isZero();
        assertThat(backup()).contains("eth0");
        assertThat(world.run("confirm").err()).contains("no change waits");
        assertThat(world.run("undo").exit()).isZero();
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    void thatForwardingStopsCanBeTakenBack() throws IOException {
        assertThat(world.run("udsp add --src tcp9 --priority 1").exit()).isZero();
        assertThat(world.run("set routing 1").exit()).isZero();
        String before = backup();
        assertThat(world.run("set routing 0").exit()).isZero();
        assertThat(world.run("set routing 0").exit()).as("it stops already").isZero();
        assertThat(world.run("set routing 1").err()).contains("forwarding is being stopped");
        assertThat(importText("routing: {enable: 1}", "").err()).contains("forwarding is being stopped");
        World.Result undone = world.run("undo");
        assertThat(undone.exit()).as(undone.err()).isZero();
        assertThat(backup()).isEqualTo(before);
        World.Result refused = importText("{routing: {enable: 0}, udsp: [{src: tcp9, action: {priority: 1}}]}", "");
        assertThat(refused.exit()).as(refused.err()).isNotZero();
        assertThat(backup()).as("a refused file changes nothing").isEqualTo(before);
        assertThat(importText("routing: {enable: 0}", "--confirm-within 60").exit())
                .isZero();
        assertThat(backup()).isNotEqualTo(before);
        assertThat(world.run("undo").exit()).isZero();
        assertThat(backup()).as("what nobody confirms").isEqualTo(before);
    }

    @Test
    void theOrderOfAnExportDoesNotDependOnWhatWasTakenBack() throws IOException {
        assertThat(world.run("net add --net tcp --if eth0").exit()).isZero();
        for (int i = 1; i < 6; i++) {
            assertThat(world.run("peer add --prim_nid 127.99.0.9" + i + "@tcp").exit())
                    .isZero();
            assertThat(world.run("route add --net tcp1" + i % 2 + " --gateway 127.99.0.9" + i + "@tcp")
                            .exit())
                    .isZero();
        }
        assertThat(world.run("peer add --prim_nid 127.99.0.10@tcp").exit()).isZero();
        String before = backup();
        for (String change : List.of(
                "route del --net tcp11 --gateway 127.99.0.91@tcp",
                "route del --net tcp10 --gateway 127.99.0.92@tcp",
                "peer del --prim_nid 127.99.0.10@tcp",
                "net del --net tcp")) {
            assertThat(world.run(change).exit()).as(change).isZero();
            assertThat(world.run("undo").exit()).as(change).isZero();
            assertThat(backup()).as(change).isEqualTo(before);
        }
    }

    @Test
    @Requirement({"cfg-020", "cfg-060", "dbg-030", "dbg-035"})
    void interfacesComeAndGo() throws IOException {
        world.close();
        // No ping makes the NI better meanwhile.
        world = new World(Settings.DEFAULT.with(Tunable.RECOVERY_INTERVAL, 86_400));
        world.run("lnet configure");
        assertThat(world.run("net add --net tcp --if eth0,eth1").exit()).isZero();
        assertThat(world.run("net set --nid 127.99.0.11@tcp --health 0").exit()).isZero();
        assertThat(world.run("net show -v 2").out())
                .contains("state: FAILED", "state: ACTIVE", "CPT: \"[0]\"", "send_count: 0", "recv_count: 0")
                .contains("timeouts: 0")
                .containsPattern("tx credits:\n *available: 256\n *max: 256\n *min: 256\n");
        assertThat(world.run("explain health 127.99.0.11@tcp").out()).contains("is FAILED", "recovery:");
        assertThat(world.run("net del --net tcp --if eth0").exit()).isZero();
        assertThat(world.run("net show").out()).contains("eth1").doesNotContain("eth0");
        World.Result undone = world.run("undo");
        assertThat(undone.exit()).as(undone.err()).isZero();
        assertThat(world.run("net show").out()).contains("eth0");
    }

    @Test
    void aFileThatIsNoText() throws IOException {
        Path file = Files.write(dir.resolve("junk"), new byte[] {0, (byte) 0xff, (byte) 0xfe, 1});
        World.Result junk = world.run("import " + file);
        assertThat(junk.exit()).isEqualTo(254);
        assertThat(junk.err()).contains("errno: -1", file + " can not be read: line 1 is no text in UTF-8; expected");
        World.Result long16 = world.run("guest1", List.of("import"), "#".repeat((16 << 20) + 1));
        assertThat(long16.err()).contains("standard input can not be read: it is longer than 16777216 characters");
    }

    /** The reader of standard input has put U+FFFD where bytes are no text. */
    @Test
    void inputThatIsNoText() {
        World.Result junk = world.run("guest1", List.of("import"), "# a\n# b\nnet: \uFFFD\n");
        assertThat(junk.exit()).isEqualTo(254);
        assertThat(junk.err())
                .contains(
                        "standard input can not be read: line 3 is no text in UTF-8; expected YAML in UTF-8: correct");
        assertThat(world.run("guest1", List.of("import"), "\uFEFFglobal: {retry_count: 3}\n")
                        .err())
                .as("a byte order mark is no part of the first word")
                .isEmpty();
    }

    @Test
    void aFileWithoutAName() {
        for (String command : List.of("import", "export")) {
            World.Result told = world.run("guest1", List.of(command, ""), "");
            assertThat(told.exit()).isEqualTo(254);
            assertThat(told.err())
                    .contains(command + ": ''", "it is empty; name a file, or - for standard input and output")
                    .doesNotContain("LC_ALL");
        }
    }

    @Test
    void aPeerThatIsNotMultiRailHasOneNid() {
        World.Result refused = world.run("peer add --prim_nid 10.0.0.5@tcp --nid 10.0.0.[6-7]@tcp --non_mr");
        assertThat(refused.exit()).isEqualTo(234);
        assertThat(refused.err()).contains("errno: -1");
        assertThat(world.run("peer show").out()).isEmpty();
        assertThat(world.run("peer add --prim_nid 10.0.0.5@tcp --non_mr").exit())
                .isZero();
        assertThat(world.run("peer show").out()).contains("Multi-Rail: false");
    }

    @Test
    void lockedPeersAreOnlyDeletedByForce() {
        world.run("peer add --prim_nid 10.0.0.5@tcp --nid 10.0.0.6@tcp --lock_prim");
        world.run("peer del --prim_nid 10.0.0.5@tcp");
        assertThat(world.run("peer list").out()).contains("10.0.0.5@tcp");
        assertThat(world.run("peer del --prim_nid 10.0.0.5@tcp --force").exit()).isZero();
        assertThat(world.run("peer list").out()).isEmpty();
    }

    @Test
    void aProfileIsTakenWithTheSettingsOnTopOfIt() {
        String text = "java: {compat_profile: lustre, retry_count_cap: 3}\n";
        World.Result check = world.run("guest1", List.of("import", "--check"), text);
        assertThat(check.out())
                .contains("stdin: set timeout_formula from documents to lustre", "set retry_count_cap from")
                .doesNotContain("retry_count_cap from 5 to 0");
        assertThat(world.run("guest1", List.of("import"), text).exit()).isZero();
        assertThat(backup()).contains("timeout_formula: lustre", "verify_peer_identity: 0", "retry_count_cap: 3");
        assertThat(world.run("guest1", List.of("import", "--check"), text).out())
                .contains("nothing would change");
        assertThat(world.run("undo").exit()).isZero();
        assertThat(backup()).doesNotContain("timeout_formula: lustre");
    }

    /** What the locale can not write is another such name. */
    @Test
    void aNameThatNoFileCanHaveIsTold() {
        for (List<String> words :
                List.of(List.of("import", "a\0b"), List.of("export", "a\0b"), List.of("doctor", "--config", "a\0b"))) {
            World.Result told = world.run("guest1", words, "");
            assertThat(told.exit()).as(words.getFirst()).isEqualTo(254);
            assertThat(told.err())
                    .contains("can not be the name of a file here")
                    .doesNotContain("Exception");
        }
    }

    @Test
    void howCpusAreDividedIsFixedAtTheStart() {
        for (String option : List.of("", "--check")) {
            World.Result refused = world.run(
                    "guest1",
                    option.isEmpty() ? List.of("import") : List.of("import", option),
                    "java: {cpu_npartitions: 2, retry_count_cap: 3}\n");
            assertThat(refused.exit()).isEqualTo(234);
            assertThat(refused.err()).contains("errno: -22", "cpu_npartitions", "--param");
        }
        assertThat(backup()).doesNotContain("retry_count_cap: 3");
    }

    @Test
    void faultsAreShownInsteadOfACrash() {
        assertThat(world.run("fault drop add -s *@tcp -d * -r 2 -m GET").exit()).isZero();
        assertThat(world.run("fault drop show").out())
                .contains("rule_type: drop", "fa_src: 255.255.255.255@tcp", "fa_msg_mask: 4", "da_rate: 2");
        assertThat(world.run("fault drop reset").exit()).isZero();
        assertThat(world.run("fault delay show").out()).isEmpty();
        assertThat(world.run("fault drop del --all").exit()).isZero();
        assertThat(world.run("fault drop show").out()).isEmpty();
        assertThat(world.run("fault drop add -s 10.0.0.1@tcp -d *").exit()).isEqualTo(234);
        assertThat(world.run("fault drop add -s *").exit()).isEqualTo(255);
        assertThat(world.run("fault drop add -s * -d * -r 1 -m PUT,GET").exit()).isEqualTo(255);
    }

    @Test
    void withoutLnetAndWithoutAService() {
        world.run("lnet unconfigure");
        assertThat(world.run("net show").exit()).isEqualTo(234);
        assertThat(world.run("global show").exit()).isEqualTo(156);
        assertThat(world.run("stats show").err()).contains("- statistics:", "errno: -100");
        assertThat(world.run("ping 10.0.0.1@tcp").err()).contains("ping:", "errno: -100");
        assertThat(world.run("export").out()).contains("net:", "route:", "udsp:", "errno: -100");
        assertThat(world.run("nobody", List.of("net", "show"), "").exit()).isEqualTo(234);
        assertThat(world.run("nobody", List.of("global", "show"), "").exit()).isEqualTo(254);
        assertThat(world.run("nobody", List.of("net", "show", "--help"), "").exit())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "peer del --prim_nid 10.0.0.5@tcp                       | 234 | errno: -2",
                "peer del --prim_nid 10.0.0.1@tcp --nid 10.0.0.9@tcp    | 234 | errno: -2",
                "peer show --nid 10.0.0.5@tcp                           | 234 | errno: -2",
                "peer show --nid 10.0.0.5@foo                           | 234 | errno: -22",
                "peer add --prim_nid 10.0.0.5@foo                       | 234 | errno: -22",
                "peer add --prim_nid 300.1.1.1@tcp                      | 234 | errno: -22",
                "debug peer --nid 10.0.0.5@tcp                          | 0   | ''"
            })
    void ofNidsThatNobodyHasThereIsNoWordUnlessAllMistakesAreToBeTold(String line, int exit, String strictly) {
        world.run("peer add --prim_nid 10.0.0.1@tcp");
        assertThat(world.run(line)).isEqualTo(new World.Result(exit, "", ""));
        World.Result strict = world.run("--strict_options " + line);
        assertThat(strict.exit()).isEqualTo(exit);
        assertThat(strict.err()).contains(strictly);
    }

    @ParameterizedTest
    @CsvSource({"set", "net", "stats", "debug", "peer", "udsp"})
    void usageGoesToStandardOutput(String group) {
        World.Result usage = world.run(group);
        assertThat(usage.exit()).isEqualTo(234);
        assertThat(usage.out()).startsWith("usage:\n  lnetctl " + group + " ");
        assertThat(usage.err()).isEmpty();
    }

    @Test
    void aDashIsStandardInputAndAnEmptyDocumentAMistake() {
        World.Result read = world.run("guest1", List.of("import", "-"), "global: {retry_count: 3}\n");
        assertThat(read.err()).isEmpty();
        assertThat(backup()).contains("retry_count: 3");
        assertThat(world.run("export --backup -").out()).isEqualTo(backup());
        World.Result empty = world.run("guest1", List.of("import", "-"), " \n");
        assertThat(empty.exit()).isEqualTo(234);
        assertThat(empty.err()).contains("add:\n-     import:", "errno: -22", "stdin is empty");
        World.Result comments = world.run("guest1", List.of("import"), "# net:\n");
        assertThat(comments.exit()).isZero();
        assertThat(comments.err()).contains("stdin: found no section");
    }

    @Test
    void allProblemsOfAFileAreToldAtOnceInTheWordsThatScriptsLookFor() throws IOException {
        String before = backup();
        World.Result refused = importText("""
            foo: 1
            net:
              - net type: tcp
                local NI(s):
                  - interfaces: {0: eth7}
                  - interfaces: {0: eth0}
                    tunables: {credits: many}
            global:
              retry_count:
              discovry: 1
            """, "");
        assertThat(refused.exit()).isEqualTo(234);
        assertThat(refused.err())
                .contains(
                        "descr: ! \"invalid key 'foo': " + dir.resolve("c.yaml") + ":1:1: expected one of the sections",
                        "; 5 problems in all, nothing was changed\"",
                        "c.yaml:5:25: found interface 'eth7', expected one of this machine: lo, eth0, eth1, eth0:0"
                                + " (did",
                        "invalid value 'many' for key 'credits': ",
                        "no value specified for key 'retry_count': ",
                        "c.yaml:9:15: expected 0…31536000, the default is 2",
                        "invalid key 'discovry': ",
                        "(did you mean 'discovery'?)");
        assertThat(backup()).isEqualTo(before);
        World.Result absent = importText("net: [{net type: tcp, interfaces: {0: eth7, 1: eth8}}]", "");
        assertThat(absent.exit()).isEqualTo(214);
        assertThat(absent.err()).contains("errno: -42", "'eth7'", "'eth8'");
        World.Result label = importText("net: [{net type: tcp, interfaces: {0: 'eth0:0'}}]", "--check");
        assertThat(label.exit()).as(label.err()).isZero();
    }

    @Test
    void aBackupThatIsNoneIsAFailure() throws IOException {
        assertThat(world.run("nobody", List.of("export", "--backup"), "").exit())
                .isEqualTo(234);
        world.run("lnet unconfigure");
        World.Result unconfigured = world.run("export --backup");
        assertThat(unconfigured.exit()).isEqualTo(234);
        assertThat(unconfigured.out()).isEmpty();
        world.run("lnet configure");
        Path file = Files.writeString(dir.resolve("b.yaml"), "the one before");
        World.Result full = world.run("export --backup /dev/full");
        assertThat(full.exit()).isEqualTo(254);
        assertThat(full.err()).contains("/dev/full can not be written: No space left on device");
        assertThat(world.run("export --backup " + file).exit()).isZero();
        assertThat(file).hasContent(backup());
    }

    @Test
    @Requirement({"dbg-040", "dbg-060", "dbg-065", "dbg-070", "dbg-075", "dbg-085", "dbg-090", "dbg-100", "dbg-105"})
    void sumsUseAndSingleItems() {
        world.run("net add --net tcp --if eth0,eth1");
        world.run("guest2", List.of("lnet", "configure"), "");
        world.run("guest2", List.of("net", "add", "--net", "tcp", "--if", "eth0,eth1"), "");
        for (int i = 0; i < 4; i++) {
            assertThat(world.run("ping 127.99.0.12@tcp 127.99.1.12@tcp --timeout 20")
                            .exit())
                    .isZero();
            awaitCredits();
        }
        assertThat(world.run("debug ni --net tcp --index 1").out()).contains("nid: 127.99.1.11@tcp");
        assertThat(world.run("debug peer --index 1").out())
                .contains("primary nid: 127.99.1.12@tcp")
                .doesNotContain("primary nid: 127.99.0.12@tcp");
        assertThat(world.run("peer show --nid 127.99.0.12@tcp -v 2").out())
                .contains("max_ni_tx_credits: 8", "available_tx_credits: 8", "min_tx_credits: 7")
                .contains("tx_q_num_of_buf: 0", "send_count: 4", "recv_count: 4")
                .containsPattern("local ni: 127.99.[01].11@tcp");
        assertThat(world.run("peer show --max 1").out())
                .contains("127.99.0.12@tcp")
                .doesNotContain("127.99.1.12@tcp");
        assertThat(world.run("stats show --sum tcp").out()).contains("send_count: 8");
        assertThat(world.run("stats show --sum 127.99.0.12@tcp").out()).contains("send_count: 4");
        assertThat(heat("127.99.0.12@tcp")).isPositive();
        assertThat(heat("127.99.0.11@tcp") + heat("127.99.1.11@tcp")).isPositive();
        assertThat(world.run("debug usage --nid 127.99.0.11@tcp").out()).contains("tx_messages_per_second:");
        assertThat(world.run("debug usage --nid 127.99.0.99@tcp").exit()).isEqualTo(234);
    }

    @Test
    @Requirement({"cfg-025", "cfg-030"})
    void anNiIsTiedToPartitionsAndMovedToOthersWhileItIsUsed() throws IOException {
        world.close();
        world = new World(2);
        world.run("lnet configure");
        assertThat(world.run("net add --net tcp --if eth0[1]").err()).isEmpty();
        assertThat(world.run("net add --net tcp --if eth1 --cpt [0]").err()).isEmpty();
        String shown = world.run("net show -v").out();
        assertThat(shown.substring(shown.indexOf("127.99.0.11"))).containsSubsequence("CPT: \"[1]\"", "CPT: \"[0]\"");
        world.run("guest2", List.of("lnet", "configure"), "");
        world.run("guest2", List.of("net", "add", "--net", "tcp", "--if", "eth0"), "");
        for (String cpts : List.of("[0]", "[0,1]", "[1]")) {
            assertThat(world.run("net set --nid 127.99.0.11@tcp --cpt " + cpts).err())
                    .isEmpty();
            assertThat(world.run("net show -v --net tcp").out()).contains("CPT: \"" + cpts + "\"");
            World.Result ping = world.run("ping 127.99.0.12@tcp --source 127.99.0.11@tcp --timeout 20");
            assertThat(ping.exit()).as(ping.out()).isZero();
        }
        World.Result outside = world.run("net set --nid 127.99.0.11@tcp --cpt [2]");
        assertThat(outside.exit()).isEqualTo(234);
        assertThat(outside.err()).contains("errno: -34");
        assertThat(backup()).contains("CPT: \"[1]\"");
    }

    /** Waits until all credits are back: an answer can overtake the end of sending what it answers. */
    private void awaitCredits() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (String nid : List.of("127.99.0.12@tcp", "127.99.1.12@tcp")) {
            while (!world.run("peer show --nid " + nid + " -v 2").out().contains("available_tx_credits: 8")) {
                assertThat(System.nanoTime()).as("credits of " + nid).isLessThan(end);
                Thread.onSpinWait();
            }
        }
    }

    private int heat(String nid) {
        String shown = world.run("debug usage --nid " + nid).out();
        Matcher heat = Pattern.compile("heat: ([0-9]+)").matcher(shown);
        assertThat(heat.find()).as(shown).isTrue();
        return Integer.parseInt(heat.group(1));
    }
}
