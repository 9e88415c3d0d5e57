package org.railyard.cli.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.sample.SampleTorus;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import picocli.CommandLine;

final class SmCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private Path net = Path.of("");
    private Path conf = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void files() throws IOException {
        SampleTorus torus = SampleTorus.torus(5, 5, 1, 1);
        net = Files.writeString(
                directory.resolve("t.net"), NetFile.of(torus.fabric()).text());
        conf = Files.writeString(directory.resolve("t.conf"), torus.conf(1));
    }

    private int run(String... arguments) {
        return new CommandLine(SmCommand.of(List.of()))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private int torus(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--fabric", net.toString(), "--conf", conf.toString()));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    @Test
    void aPortThatFailsIsToldAndEndsWith1() {
        SmPrinter printer = new SmPrinter(new PrintWriter(out, true), new PrintWriter(err, true), false, "wrote");
        List<String> ended = new ArrayList<>();
        printer.atFailure(() -> ended.add("ended"));
        printer.failed(new ErrnoException(Errno.ENODEV, "mlx5_0/1 does not deliver any more"));
        assertThat(ended).hasSize(1);
        assertThat(err.toString()).contains("has ended", "mlx5_0/1 does not deliver any more");
        assertThat(SmCommand.exitCode(printer)).isEqualTo(SmCommand.NOT_COMPLETE);
    }

    @Test
    void bringsASubnetUpAndPullsACable() throws IOException {
        Path lids = directory.resolve("guid2lid");
        assertThat(torus("--unlink", "S-0.0.0/3", "--lids", lids.toString())).isZero();
        assertThat(out.toString())
                .contains("sweep 1 (start): done", "25 switches, 25 other nodes, 75 links active, 0 not")
                .contains("unlink S-0.0.0/3", "trap 128", "74 links active");
        assertThat(Files.readString(lids).lines().filter(line -> !line.isEmpty()))
                .hasSize(50);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aLineOfJsonForAllThatHappens() {
        assertThat(torus("--json", "--unlink", "S-0.0.0/3")).isZero();
        List<Map<?, ?>> lines = new ArrayList<>();
        out.toString()
                .lines()
                .forEach(line ->
                        lines.add((Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(line)));
        assertThat(lines.stream().filter(line -> line.containsKey("sweep")).toList())
                .hasSizeGreaterThanOrEqualTo(2)
                .noneMatch(line -> line.containsKey("type"))
                .allMatch(line -> line.keySet().iterator().next().equals("sweep"));
        assertThat(lines.stream().map(line -> String.valueOf(line.get("type"))).distinct())
                .containsExactlyInAnyOrder("null", "role", "trap");
        assertThat(lines).anySatisfy(line -> assertThat(line.get("role")).isEqualTo("master"));
        assertThat(lines).anySatisfy(line -> {
            assertThat(String.valueOf(line.get("number"))).isEqualTo("128");
            assertThat(String.valueOf(line.get("text")))
                    .startsWith("trap 128 from LID " + line.get("from_lid") + " (S-")
                    .endsWith("a port changed its state");
        });
    }

    @Test
    void aNoisySourceIsALineOfJson() {
        SmPrinter printer = new SmPrinter(new PrintWriter(out), new PrintWriter(err), true, "wrote");
        printer.noisy(7, true, "LID 7 sends \"too many\"");
        assertThat(out.toString().strip())
                .isEqualTo("{\"type\":\"noise\",\"from_lid\":7,\"ignored\":true,"
                        + "\"text\":\"LID 7 sends \\\"too many\\\"\"}");
    }

    @Test
    void whereItBeginsIsALineOfJson() {
        assertThat(SmText.startJson("mlx5_0/1", Path.of("/run/sm.sock"), OptionalInt.of(9501)))
                .isEqualTo("{\"type\":\"start\",\"port\":\"mlx5_0/1\",\"control_socket\":\"/run/sm.sock\","
                        + "\"metrics_port\":9501}");
    }

    @Test
    void aPlanNamesWhatWouldBeWritten() {
        List<String> arguments = List.of("plan", "--each", "--fabric", net.toString(), "--conf", conf.toString());
        assertThat(run(arguments.toArray(String[]::new))).isZero();
        assertThat(out.toString())
                .contains("S-0.0.0: SMP-D Set LinearForwardingTable block 0", "would write LFT of new switches: 25")
                .contains("sweep 1 (plan): done");
    }

    @Test
    void aPlanNamesEachSetInALineOfJson() {
        List<String> arguments = List.of("plan", "--fabric", net.toString(), "--conf", conf.toString(), "--each");
        assertThat(run(arguments.toArray(String[]::new))).isZero();
        long sets = out.toString()
                .lines()
                .filter(line -> line.contains(": SMP-D Set "))
                .count();
        out.getBuffer().setLength(0);
        assertThat(run(Stream.concat(arguments.stream(), Stream.of("--json")).toArray(String[]::new)))
                .isZero();
        List<Map<?, ?>> lines = out.toString()
                .lines()
                .<Map<?, ?>>map(
                        line -> (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(line))
                .toList();
        assertThat(lines.getLast().keySet().iterator().next()).isEqualTo("sweep");
        assertThat(lines.subList(0, lines.size() - 1))
                .hasSize((int) sets)
                .allMatch(line -> "set".equals(line.get("type")))
                .anySatisfy(line -> assertThat(String.valueOf(line))
                        .startsWith("{type=set, node=S-0.0.0, set=SMP-D Set LinearForwardingTable block 0"));
    }

    @Test
    void aPlanIsKeptAndApplied() throws IOException {
        Path plan = directory.resolve("plan");
        assertThat(run("plan", "--fabric", net.toString(), "--conf", conf.toString(), "--save", plan.toString()))
                .isZero();
        String kept = Files.readString(plan);
        assertThat(run("apply", plan.toString(), "--fabric", net.toString(), "--conf", conf.toString()))
                .isZero();
        assertThat(out.toString()).contains("sweep 1 (apply): done", "wrote LFT of new switches: 25");
        assertThat(kept.lines().toList()).hasSizeGreaterThan(1000);
    }

    @Test
    void anotherPlanIsNotApplied() throws IOException {
        Path plan = directory.resolve("plan");
        assertThat(run("plan", "--fabric", net.toString(), "--conf", conf.toString(), "--save", plan.toString()))
                .isZero();
        List<String> lines = Files.readAllLines(plan);
        String gone = lines.remove(lines.size() / 2);
        Files.write(plan, lines);
        assertThat(run("apply", plan.toString(), "--fabric", net.toString(), "--conf", conf.toString()))
                .isEqualTo(SmCommand.REFUSED);
        assertThat(err.toString())
                .contains(
                        "not planned: " + gone.replaceFirst("(\\S+ ){4}", ""), "1 difference: ", "nothing is written");
        assertThat(out.toString()).doesNotContain("(apply)");
        assertThat(run("apply", plan.toString(), "--fabric", net.toString(), "--conf", conf.toString(), "--lmc", "1"))
                .isEqualTo(SmCommand.REFUSED);
        Files.writeString(plan, lines.getFirst() + "\n0123 what\n");
        assertThat(run("apply", plan.toString(), "--fabric", net.toString(), "--conf", conf.toString()))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains("plan:2:1: found \"0123 what\"");
        assertThat(run("apply", conf.toString(), "--fabric", net.toString(), "--conf", conf.toString()))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(run(
                        "plan",
                        "--fabric",
                        net.toString(),
                        "--conf",
                        conf.toString(),
                        "--save",
                        directory.resolve("none/plan").toString()))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains("none/plan: cannot be written");
    }

    @Test
    void aPlanIsNotComparedWithASubnetThatDoesNotAnswer() {
        Path plan = directory.resolve("plan");
        assertThat(run("plan", "--fabric", net.toString(), "--conf", conf.toString(), "--save", plan.toString()))
                .isZero();
        assertThat(run("apply", plan.toString(), "--fabric", net.toString(), "--conf", conf.toString(), "--loss", "90"))
                .isEqualTo(SmCommand.NOT_COMPLETE);
        assertThat(err.toString())
                .contains("reading it ended with \"no link\"", "nothing is written")
                .doesNotContain("differences");
        assertThat(run("apply", plan.toString(), "--fabric", net.toString(), "--engine", "min-hop"))
                .isEqualTo(SmCommand.REFUSED);
        assertThat(err.toString()).contains("note: ", "reading it ended with \"no proved routes\"");
    }

    @Test
    void aPlanRefusesWhatASubnetManagerRefuses() throws IOException {
        Path rubbish = Files.write(directory.resolve("rubbish"), new byte[] {0, 1, 2, (byte) 0xFF});
        for (String option : List.of("--qos-policy", "--prefix-routes", "--partitions")) {
            for (Path file : List.of(rubbish, directory, directory.resolve("missing"))) {
                String[] options = {"--fabric", net.toString(), "--conf", conf.toString(), option, file.toString()};
                assertThat(run(options)).isEqualTo(SmCommand.UNUSABLE);
                String told = err.toString();
                assertThat(told).contains(file.toString());
                err.getBuffer().setLength(0);
                List<String> plan = new ArrayList<>(List.of(options));
                plan.addFirst("plan");
                assertThat(run(plan.toArray(String[]::new))).as(option).isEqualTo(SmCommand.UNUSABLE);
                assertThat(err.toString()).isEqualTo(told);
                err.getBuffer().setLength(0);
            }
        }
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void whatIsNotProvedIsRefused() {
        assertThat(run("--fabric", net.toString(), "--engine", "min-hop")).isEqualTo(SmCommand.REFUSED);
        assertThat(out.toString()).contains("credit loops, so they are not used");
        Path other = directory.resolve("other.conf");
        assertThat(other).doesNotExist();
        assertThat(run("--fabric", net.toString(), "--conf", other.toString())).isEqualTo(SmCommand.UNUSABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--loss=91", "--lmc=8", "--device=mlx5_0", "--port=1", "--sm=nobody", "--unlink=S-9/1"})
    void optionsThatDoNotGo(String option) {
        assertThat(torus(option)).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).isNotEmpty();
    }

    /** It would end before anybody could ask it, or keep anything for the next one. */
    @ParameterizedTest
    @ValueSource(strings = {"--socket=sm.sock", "--metrics=0", "--sa-state=kept", "--monitor"})
    void whatIsOfOneThatGoesOnIsRefusedWithoutLive(String option) {
        assertThat(torus(option)).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains(option.replaceFirst("=.*", "") + " needs --device, or --live");
        assertThat(out.toString()).isEmpty();
    }

    /** The one at the usual place is another one, and may be that of a subnet in use. */
    @Test
    void aSocketBeforeTheSubcommandIsTheOneThatIsAsked() {
        String before = directory.resolve("before.sock").toString();
        String behind = directory.resolve("behind.sock").toString();
        assertThat(run("--socket", before, "stop")).isEqualTo(1);
        assertThat(err.toString()).contains("no subnet manager answers at " + before);
        assertThat(run("--socket", before, "stop", "--socket", behind)).isEqualTo(1);
        assertThat(err.toString()).contains("no subnet manager answers at " + behind);
    }

    @Test
    void rootsThatDoNotCountAreTold() throws IOException {
        String guid = Files.readString(net)
                .lines()
                .filter(line -> line.startsWith("switchguid="))
                .findFirst()
                .orElseThrow()
                .replaceFirst("switchguid=(0x[0-9a-f]+).*", "$1");
        Path roots = Files.writeString(directory.resolve("roots"), "# best\n0x99\n%1$s\n%1$s\n".formatted(guid));
        assertThat(run("--fabric", net.toString(), "--engine", "up-down", "--roots", roots.toString()))
                .isZero();
        assertThat(err.toString())
                .contains(roots + ":4:1: node GUID ", " is in line 3 already")
                .hasLineCount(1);
        assertThat(out.toString())
                .contains("note: " + roots + ":2:1: no switch with a cable has the node GUID 0x0000000000000099");
    }

    @Test
    void whatIsKeptHasFilesOfItsOwn() throws IOException {
        Path kept = directory.resolve("kept");
        String sameFile = directory.resolve("none/../kept").toString();
        for (String option : List.of("--mkeys", "--sa-state")) {
            assertThat(torus("--live", "--lids", kept.toString(), option, sameFile))
                    .isEqualTo(SmCommand.UNUSABLE);
            assertThat(err.toString()).contains("--lids and " + option + " name the same file");
        }
        Files.writeString(kept, "important");
        assertThat(torus("--live", "--sa-state", kept.toString())).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains(kept + ":1:1: found \"important\"");
        assertThat(kept).hasContent("important");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--loss=3", "--seed=3"})
    void whatIsOfSimulatedAgentsOnlyIsRefusedWithADevice(String option) {
        assertThat(run("--device", "any", "--conf", conf.toString(), option)).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains(option.substring(0, 6) + " needs --fabric");
    }

    @Test
    void aDeviceAndAPortThatDoNotGoTogether() {
        assertThat(run("--device", "mlx5_0:1", "--port", "2", "--conf", conf.toString()))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains("--device mlx5_0:1 and --port 2 name different ports");
    }

    @Test
    void filesThatAreNone() throws IOException {
        Path rubbish = Files.writeString(directory.resolve("rubbish"), "\u0000 what is this?");
        assertThat(torus("--lids", rubbish.toString())).isEqualTo(SmCommand.UNUSABLE);
        assertThat(run("--fabric", rubbish.toString(), "--conf", conf.toString()))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains("rubbish:1:");
    }

    @Test
    void theSlOfAPartitionThatIsMoreThanALevelIsWarnedOf() throws IOException {
        Path file = Files.writeString(
                directory.resolve("partitions.conf"),
                "Default=0x7fff, ipoib, sl=3 : ALL=full ;\nstorage=0x10, sl=8 : ALL ;\n");
        assertThat(torus("--partitions", file.toString())).isZero();
        assertThat(err.toString())
                .contains("partitions.conf: partition \"Default\" (0x7fff): SL 3 only means QoS level 0")
                .doesNotContain("storage");
    }

    @Test
    void theSlOfAGroupThatIsMoreThanALevelIsWarnedOf() throws IOException {
        StringBuilder text = new StringBuilder("Default=0x7fff, ipoib, sl=8 :\n");
        for (int group = 1; group <= 12; group++) {
            text.append("  mgid=ff12:401b::%x,sl=5\n".formatted(group));
        }
        Path file = Files.writeString(
                directory.resolve("partitions.conf"), text.append("  mgid=ff12:401b::20,sl=0\n ALL=full ;\n"));
        assertThat(torus("--partitions", file.toString())).isZero();
        assertThat(err.toString())
                .contains("partition \"Default\" (0x7fff): group ff12:401b:ffff:0:0:0:0:1: SL 5 only means QoS level 0")
                .contains("partition \"Default\" (0x7fff): 2 more groups have such an SL");
        assertThat(err.toString().lines().filter(line -> line.contains("only means QoS level")))
                .hasSize(10);
    }

    @Test
    void aQosPolicyIsReadAndChecked() throws IOException {
        Path policy = Files.writeString(
                directory.resolve("qos-policy.conf"),
                "qos-ulps\n  sdp : 5\n  any, pkey 0x10 : 8\n  default : 0\nend-qos-ulps\n");
        assertThat(torus("--qos-policy", policy.toString())).isZero();
        assertThat(err.toString())
                .contains("qos-policy.conf:2:3: level \"sdp\": SL 5 only means QoS level 0")
                .doesNotContain("pkey");
        Path openSm =
                Files.writeString(directory.resolve("opensm.conf"), "qos TRUE\nqos_policy_file %s\n".formatted(policy));
        Files.writeString(policy, "qos-ulps\n  sdp = 5\nend-qos-ulps\n");
        assertThat(torus("--opensm-conf", openSm.toString())).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains("qos-policy.conf:2:3: found \"sdp = 5\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"partition_config_file", "prefix_routes_file", "qos_policy_file"})
    void aFileThatIsMissingIsToldWithWhereItIsNamed(String key) throws IOException {
        Path openSm = Files.writeString(directory.resolve("opensm.conf"), "qos TRUE\n%s missing\n".formatted(key));
        assertThat(torus("--opensm-conf", openSm.toString())).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString())
                .isEqualTo("railyard: %s:2:%d: %s: missing: no such file%n".formatted(openSm, key.length() + 2, key));
    }

    @Test
    void valuesThatCanNotBeAreToldWithTheirPlace() throws IOException {
        Path openSm = Files.writeString(
                directory.resolve("opensm.conf"),
                "transaction_timeout 0\nsminfo_polling_timeout 0\nmax_op_vls 0\nmax_wire_smps 0\n");
        assertThat(torus("--opensm-conf", openSm.toString())).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString().lines())
                .containsExactly(
                        "railyard: %s:1:21: transaction_timeout is \"0\"; 1 to 600000 expected".formatted(openSm),
                        "railyard: %s:2:24: sminfo_polling_timeout is \"0\"; 1 to 4294967295 expected"
                                .formatted(openSm),
                        "railyard: %s:3:12: max_op_vls is \"0\"; 1 to 5 expected".formatted(openSm));
    }

    @Test
    void aTableOfMKeysIsForItsOwnerOnly() throws IOException {
        Path openSm = Files.writeString(directory.resolve("opensm.conf"), "m_key 0x5ec2e7\n");
        // As another program left it.
        Path keys = Files.writeString(directory.resolve("guid2mkey"), "");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(torus("--opensm-conf", openSm.toString(), "--mkeys", keys.toString()))
                .isZero();
        assertThat(Files.readString(keys).lines().filter(line -> !line.isEmpty()))
                .hasSize(50 + 1)
                .allMatch(line -> line.endsWith(" 0x00000000005ec2e7"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys)))
                .isEqualTo("rw-------");
        Files.writeString(keys, "0x11 0x5ec2e7 x\n");
        assertThat(torus("--mkeys", keys.toString())).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString())
                .contains(keys + ":1:15: found", "an M_Key, both 0x and up to 16 hex digits")
                .doesNotContain("5ec2e7");
    }

    @Test
    void linesOfATableOfLidsThatDoNotCountAreTold() throws IOException {
        Path lids = Files.writeString(directory.resolve("lids"), """
            0x0000000000100001 0x0001 0x0001

            0x0000000000100001 0x0002 0x0002
            0x0000000000100002 0x0001 0x0001
            """);
        assertThat(run("plan", "--fabric", net.toString(), "--conf", conf.toString(), "--lids", lids.toString()))
                .isZero();
        assertThat(err.toString().lines())
                .containsExactly(
                        "railyard: warning: %s:3:1: port GUID 0x0000000000100001 has LIDs in line 1 already; ignored"
                                .formatted(lids),
                        ("railyard: warning: %s:4:1: LIDs 0x0001 to 0x0001 of port GUID 0x0000000000100002 are in part"
                                        + " those of 0x0000000000100001 in line 1; ignored")
                                .formatted(lids));
    }

    @Test
    void aTableOfLidsThatCanNotBeKept() {
        assertThat(torus("--lids", directory.resolve("none/guid2lid").toString()))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains("guid2lid: cannot be read: there is no folder " + directory);
    }

    /** A subnet whose table is on a file system that is not mounted does not begin anew. */
    @Test
    void aTableOfLidsBehindALinkToNowhere() throws IOException {
        Path link = Files.createSymbolicLink(
                directory.resolve("guid2lid"), directory.resolve("none").resolve("guid2lid"));
        assertThat(torus("--lids", link.toString())).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains(link + ": cannot be read: there is no folder " + directory.resolve("none"));
        assertThat(link).isSymbolicLink();
    }

    /** As one in a folder that may not be looked into: it may be there, and hold what the subnet has. */
    @Test
    void aTableOfWhichNobodyKnowsWhetherItIsThereIsNotTakenForAbsent() throws IOException {
        Path circle = Files.createSymbolicLink(directory.resolve("circle"), Path.of("circle"));
        for (String option : List.of("--lids", "--mkeys")) {
            err.getBuffer().setLength(0);
            assertThat(run("plan", "--fabric", net.toString(), "--conf", conf.toString(), option, circle.toString()))
                    .isEqualTo(SmCommand.UNUSABLE);
            assertThat(err.toString()).startsWith("railyard: " + circle + ": cannot be read: Too many levels");
        }
        err.getBuffer().setLength(0);
        Path below = net.resolve("guid2lid");
        assertThat(run("plan", "--fabric", net.toString(), "--conf", conf.toString(), "--lids", below.toString()))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).startsWith("railyard: " + below + ": cannot be read: Not a directory");
    }

    @Test
    void oneSubnetIsManaged() {
        assertThat(run("--conf", conf.toString())).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains("one of --fabric FILE (simulated agents) and --device NAME");
        err.getBuffer().setLength(0);
        assertThat(run("--fabric", net.toString(), "--device", "any", "--conf", conf.toString()))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).contains("only one of --fabric and --device may be given");
    }

    /** Whoever asks as root may write anywhere, but makes no file in /proc. */
    @Test
    void whereNothingCanBeKeptIsToldAtTheStart() {
        assertThat(torus("--live", "--lids", "/proc/lids", "--mkeys", "/proc/guid2mkey", "--sa-state", "/proc/state"))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString().lines().map(line -> line.replaceFirst(";.*", "")))
                .containsExactly(
                        "railyard: /proc/lids: cannot be written: nothing can be made in /proc",
                        "railyard: /proc/guid2mkey: cannot be written: nothing can be made in /proc",
                        "railyard: /proc/state: cannot be written: nothing can be made in /proc");
        err.getBuffer().setLength(0);
        assertThat(run("plan", "--fabric", net.toString(), "--conf", conf.toString(), "--lids", "/proc/lids"))
                .as("it keeps nothing")
                .isZero();
        assertThat(run("apply", "plan", "--fabric", net.toString(), "--conf", conf.toString(), "--lids", "/proc/lids"))
                .isEqualTo(SmCommand.UNUSABLE);
    }

    @Test
    void errorsOfAllFilesAreTold() throws IOException {
        Path bad = Files.writeString(directory.resolve("bad"), "nonsense here\n");
        Path openSm = Files.writeString(directory.resolve("opensm.conf"), "lmc 9\nsm_priority 99\n");
        Path policy = Files.writeString(directory.resolve("policy"), """
            port-groups
                port-group
                    name: store
                    partition: store
                end-port-group
            end-port-groups
            qos-ulps
                default = 0
            end-qos-ulps
            """);
        assertThat(run(
                        "--live",
                        "--fabric=" + bad,
                        "--conf=" + bad,
                        "--opensm-conf=" + openSm,
                        "--partitions=" + bad,
                        "--prefix-routes=" + bad,
                        "--qos-policy=" + policy,
                        "--lids=" + bad,
                        "--mkeys=" + directory.resolve("none/keys"),
                        "--sa-state=" + conf))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()
                        .lines()
                        .map(line -> line.replaceFirst("railyard: ([^:]*:).*", "$1"))
                        .distinct())
                .containsExactly(
                        bad + ":", openSm + ":", policy + ":", directory.resolve("none/keys") + ":", conf + ":");
        assertThat(err.toString())
                .contains("lmc is \"9\"", "sm_priority is \"99\"", "policy:8:5: found \"default = 0\"")
                .doesNotContain("names of partitions");
        // A bad torus-2QoS.conf, partitions, prefix routes, LIDs and topology.
        assertThat(err.toString().lines().filter(line -> line.contains(bad + ":")))
                .hasSizeGreaterThanOrEqualTo(5);
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--roots", "--prefix-routes", "--lids", "--mkeys"})
    void errorsOfAllLinesOfAFileAreTold(String option) throws IOException {
        Path bad = Files.writeString(directory.resolve("bad"), "this\n\n\nthat\n");
        String[] command = {"--fabric=" + net, "--engine=up-down", option + "=" + bad};
        assertThat(run(command)).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString().lines().map(line -> line.replaceFirst("( found|: expected).*", "")))
                .containsExactly("railyard: " + bad + ":1:1:", "railyard: " + bad + ":4:1:");
        err.getBuffer().setLength(0);
        Files.writeString(bad, "this\n".repeat(30));
        assertThat(run(command)).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString().lines()).hasSize(11).last().isEqualTo("railyard: " + bad + ": at least 1 more error");
        err.getBuffer().setLength(0);
        Files.writeString(bad, "this\n".repeat(11));
        assertThat(run(command)).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString()).endsWith("railyard: " + bad + ": 1 more error" + System.lineSeparator());
    }

    @Test
    void aNameThatNoFileCanHaveIsToldWithItsPlace() throws IOException {
        Path options = Files.writeString(directory.resolve("opensm.conf"), "lmc 1\nprefix_routes_file a\0b\n");
        Path keys = directory.resolve("none/keys");
        assertThat(torus("--opensm-conf", options.toString(), "--mkeys", keys.toString()))
                .isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString().lines())
                .first()
                .asString()
                .startsWith(
                        "railyard: " + options + ":2:20: prefix_routes_file: no file has such a name: Nul character");
        assertThat(err.toString()).as("what else is wrong").contains(keys.toString());
    }

    @Test
    void ofOneFileWithManyErrorsTheFirstAreTold() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String name : List.of("", "_ca", "_swe", "_rtr", "_sw0")) {
            all.append("qos%s_max_vls 99\nqos%s_high_limit 999\n".formatted(name, name));
        }
        for (String name : List.of("lmc", "sm_priority", "subnet_timeout", "max_op_vls", "sweep_interval")) {
            all.append(name).append(" -7\n");
        }
        Path openSm = Files.writeString(directory.resolve("opensm.conf"), all);
        assertThat(torus("--opensm-conf", openSm.toString())).isEqualTo(SmCommand.UNUSABLE);
        assertThat(err.toString().lines()).hasSize(11).last().asString().contains(openSm + ": ", " more error");
    }

    @Test
    void rootsThatAnEngineDoesNotTakeAreTold() throws IOException {
        Path roots = Files.writeString(directory.resolve("roots"), "nonsense");
        assertThat(torus("--roots", roots.toString())).isZero();
        assertThat(err.toString())
                .isEqualTo("railyard: warning: --roots %s has no effect: torus-2qos takes no root switches%n"
                        .formatted(roots));
    }

    @Test
    void aTableThatIsEmptyIsWarnedOf() throws IOException {
        Path lids = Files.createFile(directory.resolve("guid2lid"));
        assertThat(torus("--lids", lids.toString())).isZero();
        assertThat(err.toString())
                .isEqualTo("railyard: warning: %s: it is empty, so nothing is known from before%n".formatted(lids));
        assertThat(Files.readString(lids)).isNotBlank();
    }

    /** Such LIDs would be kept from others for as long as their port is away; so OpenSM drops them. */
    @Test
    void linesOfTheTableThatNoPortCanHaveWithTheLmcAreWarnedOfAndDropped() throws IOException {
        Path lids = Files.writeString(
                directory.resolve("guid2lid"), "0xee 0x0003 0x0004\n0xef 0x0100 0x0101\n0xf0 0x0103 0x0103\n");
        Path options = Files.writeString(directory.resolve("opensm.conf"), "lmc 1\n");
        assertThat(torus("--lids", lids.toString(), "--opensm-conf", options.toString()))
                .isZero();
        assertThat(err.toString())
                .isEqualTo(("railyard: warning: %s:1:1: LIDs 0x0003 to 0x0004 of port GUID 0x00000000000000ee do not"
                                + " begin at a multiple of 2 (LMC 1); ignored%n")
                        .formatted(lids));
        assertThat(Files.readString(lids))
                .contains("0x00000000000000ef 0x0100 0x0101", "0x00000000000000f0 0x0103 0x0103")
                .doesNotContain("0x00000000000000ee");
    }
}
