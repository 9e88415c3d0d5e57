package org.railyard.sm.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.sm.model.PartitionKeys;

/** Partition files, by what OpenSM's manual says of them. */
final class PartitionsConfTest {
    private static final Fabric FABRIC = SampleTorus.torus(2, 2, 1, 1).fabric();
    private static final int SWITCH = FABRIC.portIndex(0, 0);
    private static final int HOST = FABRIC.portIndex(FABRIC.switchCount(), 1);
    private static final int OTHER = FABRIC.portIndex(FABRIC.switchCount() + 1, 1);

    /** The subnet of the tables that OpenSM wrote; the subnet manager is at the first of five hosts. */
    private static final Fabric GOLDEN =
            NetFile.parse(golden("opensm-pkeys.net")).fabric();

    private static String guid(int port) {
        return "0x%x".formatted(FABRIC.portGuid(port));
    }

    private static List<Integer> keys(String text, int port) {
        return PartitionsConf.parse(text).keys(FABRIC.portGuid(HOST)).of(FABRIC, port);
    }

    @Test
    void withoutFileEverybodyIsAFullMember() {
        PartitionsConf none = PartitionsConf.none();
        PartitionKeys keys = none.keys(FABRIC.portGuid(HOST));
        assertThat(keys.of(FABRIC, SWITCH)).containsExactly(0xFFFF);
        assertThat(keys.of(FABRIC, OTHER)).containsExactly(0xFFFF);
        assertThat(none.partitions().getFirst().groups().getFirst().mgid())
                .hasToString("ff12:401b:ffff:0:0:0:ffff:ffff");
    }

    @Test
    void withoutRuleForTheDefaultPartitionOnlyTheManagerIsAFullMember() {
        String file = "Storage = 0x10 , defmember=full : " + guid(OTHER) + " ;";
        assertThat(keys(file, HOST)).containsExactly(0xFFFF);
        assertThat(keys(file, OTHER)).containsExactly(0x7FFF, 0x8010);
        assertThat(keys(file, SWITCH)).containsExactly(0x7FFF);
    }

    @Test
    void kindsOfPortsAndMembership() {
        String file = """
            # everybody is limited, switches are not
            Default=0x7fff : ALL, ALL_SWITCHES=full, SELF=full ;
            A=0x8001 : ALL_CAS=both ; B=2:ALL_ROUTERS=full;
            C = 0x3 : %s = limi ;
            """.formatted(guid(OTHER));
        assertThat(keys(file, SWITCH)).containsExactly(0xFFFF);
        assertThat(keys(file, HOST)).containsExactly(0xFFFF, 0x8001, 0x0001);
        assertThat(keys(file, OTHER)).containsExactly(0x7FFF, 0x8001, 0x0001, 0x0003);
        assertThat(PartitionsConf.parse(file).remarks())
                .extracting(remark -> remark.at("p"))
                .singleElement()
                .asString()
                .startsWith("p:4:")
                .contains("limi", "limited is taken");
    }

    /** As in OpenSM: a rule for all, and exceptions behind it. */
    @Test
    void theLastRuleForAPortCounts() {
        String file = """
            Default=0x7fff : ALL=full, %1$s=limited ;
            A=1 : %1$s=full, ALL=limited, ALL_CAS=full ;
            B=2, defmember=full : ALL ;
            B=2 : %1$s=both ; B=2 : ALL_SWITCHES, %1$s ;
            """.formatted(guid(OTHER));
        assertThat(keys(file, OTHER)).containsExactly(0x7FFF, 0x8001, 0x0002);
        assertThat(keys(file, SWITCH)).containsExactly(0xFFFF, 0x0001, 0x0002);
        assertThat(keys("A=1 : %1$s, %1$s=full ;".formatted(guid(OTHER)), OTHER))
                .containsExactly(0x7FFF, 0x8001);
        assertThat(keys("Default=0x7fff : SELF=limited ;", HOST))
                .as("the subnet manager reaches everybody")
                .containsExactly(0xFFFF);
    }

    /** Without the key nobody could ask the subnet administration. */
    @Test
    void whoHasNoRuleInTheDefaultPartitionIsALimitedMember() {
        String file = "Default=0x7fff : %s=full ; A=1 : ALL=full ;".formatted(guid(OTHER));
        assertThat(keys(file, SWITCH)).containsExactly(0x7FFF, 0x8001);
        assertThat(keys(file, OTHER)).containsExactly(0xFFFF, 0x8001);
    }

    @Test
    void aNameWithoutKeyMeansThePartitionThatHasIt() {
        PartitionsConf conf = PartitionsConf.parse("""
            Default : ALL=full ;
            A=5 : ALL ; B=5 : ALL ; A=6 : ALL ;
            A : ALL=full ;
            a : ALL ; B : ALL ;
            """);
        assertThat(conf.partitions()).extracting(Partition::key).containsExactly(0x7FFF, 5, 6, 1, 2);
        assertThat(conf.find(5).orElseThrow().members()).hasSize(3);
        assertThat(conf.remarks())
                .extracting(remark -> remark.at("f").split(" gets")[0])
                .containsExactly("f:4:1: partition \"a\" has no P_Key and", "f:4:11: partition \"B\" has no P_Key and");
    }

    /** What OpenSM 3.3.23 wrote into fresh ports on ibsim for such files. */
    @ParameterizedTest
    @MethodSource("filesOfOpenSm")
    void portsGetTheKeysThatOpenSmGivesThem(String file, String tables) {
        PartitionKeys keys = PartitionsConf.parse(file).keys(GOLDEN.portGuid(GOLDEN.portIndex(2, 1)));
        StringBuilder ours = new StringBuilder();
        for (int node = 0; node < GOLDEN.nodeCount(); node++) {
            ours.append(GOLDEN.description(node));
            keys.of(GOLDEN, GOLDEN.portIndex(node, GOLDEN.isSwitch(node) ? 0 : 1))
                    .forEach(key -> ours.append(" %04x".formatted(key)));
            ours.append('\n');
        }
        assertThat(ours).asString().isEqualTo(tables);
    }

    static Stream<Arguments> filesOfOpenSm() {
        return Arrays.stream(golden("opensm-pkeys.txt").split("(?m)^---\n")).map(each -> {
            String[] parts = each.split("(?m)^==\n");
            return Arguments.of(parts[0], parts[1]);
        });
    }

    private static String golden(String name) {
        try (InputStream in = PartitionsConfTest.class.getResourceAsStream("golden/" + name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void oneKeyMayHaveSeveralStatements() {
        String file = """
            ShareIO = 0x80 , defmember=full : 0x1, 0x2;
            ShareIO = 0x80 : defmember=limited : 0x3, %s=full;
            """.formatted(guid(OTHER));
        PartitionsConf conf = PartitionsConf.parse(file);
        assertThat(conf.partitions()).hasSize(2);
        assertThat(conf.find(0x8080).orElseThrow().members())
                .extracting(PartitionMember::membership)
                .containsExactly(
                        PartitionMembership.FULL,
                        PartitionMembership.FULL,
                        PartitionMembership.LIMITED,
                        PartitionMembership.FULL);
        assertThat(keys(file, OTHER)).contains(0x8080);
    }

    @Test
    void aLaterStatementOfAKeyKeepsItsSl() {
        PartitionsConf conf = PartitionsConf.parse("A=1, sl=8 : ALL ;\nA=1, ipoib : 0x3=full, mgid=ff12::1\n;");
        Partition partition = conf.find(1).orElseThrow();
        assertThat(partition.sl()).isEqualTo(8);
        assertThat(partition.groups()).extracting(PartitionGroup::sl).containsExactly(8, 8);
    }

    @Test
    void keysThatNobodyNamesAreMadeUp() {
        PartitionsConf conf = PartitionsConf.parse("New , ipoib : 0x123456=full;\nOld=1 : ALL ;\n: ALL;");
        assertThat(conf.partitions()).extracting(Partition::key).containsExactly(0x7FFF, 2, 1, 3);
        assertThat(conf.remarks()).extracting(ConfRemark::line).containsExactly(1, 3);
    }

    /** As OpenSM reads it; but whoever has it by accident has a subnet in which no host reaches another. */
    @Test
    void aFileWithoutPartitionsIsWarnedOf() {
        for (String file : new String[] {"", "# nothing yet\n"}) {
            PartitionsConf conf = PartitionsConf.parse(file);
            assertThat(keys(file, OTHER)).containsExactly(0x7FFF);
            assertThat(conf.remarks())
                    .singleElement()
                    .satisfies(remark -> assertThat(remark.at("p")).startsWith("p:1:1: no partition in it: all hosts"));
        }
    }

    @Test
    void groups() {
        PartitionsConf conf = PartitionsConf.parse("""
            Default=0x7fff,ipoib,sl=8,scope=2,scope=5:
                mgid=ff12:401b::0707,sl=1 # of IPv4
                mgid=ff12:601b::16
                mgid=ff12::1,sl=2,Q_Key=0xDEADBEEF,rate=2,mtu=2,TClass=3,FlowLabel=4
                ALL=full;
            """);
        assertThat(conf.remarks()).isEmpty();
        Partition partition = conf.partitions().getFirst();
        assertThat(partition.sl()).isEqualTo(8);
        assertThat(partition.members()).hasSize(1);
        assertThat(partition.groups())
                .extracting(group -> group.mgid().toString())
                .containsExactly(
                        "ff12:401b:ffff:0:0:0:ffff:ffff",
                        "ff15:401b:ffff:0:0:0:ffff:ffff",
                        "ff12:401b:ffff:0:0:0:0:707",
                        "ff12:601b:ffff:0:0:0:0:16",
                        "ff12:0:0:0:0:0:0:1");
        assertThat(partition.groups())
                .extracting(PartitionGroup::sl, PartitionGroup::qKey, PartitionGroup::mtu, PartitionGroup::rate)
                .contains(tuple(8, 0x0B1B, 4, 3), tuple(1, 0x0B1B, 4, 3), tuple(2, 0xDEADBEEF, 2, 2));
    }

    @Test
    void whatIsNotKnownIsTold() {
        PartitionsConf conf = PartitionsConf.parse("A=5,colour=red,indx0 : ALL ;");
        assertThat(conf.remarks())
                .extracting(remark -> remark.at("f"))
                .containsExactly(
                        "f:1:5: flag \"colour\" is not known and not used",
                        "f:1:16: indx0 is not used: the key of the default partition stays the first");
    }

    @Test
    void whatIsWronglyWrittenIsRefusedWithItsPlace() {
        assertRefused("A=5 ALL ;", "line 1, column 5", "\":\"");
        assertRefused("A=5 :\n ALL=full", "line 2, column 10", "\";\"");
        assertRefused("A=0x8000 : ALL ;", "line 1, column 3", "not 0");
        assertRefused("A=0x18000 : ALL ;", "line 1, column 3", "P_Key");
        assertRefused("A=5 : 0x12345678901234567 ;", "column 7", "port GUID");
        assertRefused("A=5,ipoib,mtu=9 : ALL ;", "column 15", "MTU code, 1 to 5");
        assertRefused("A=5 : mgid=fe80::1 ;", "column 12", "multicast GID");
        assertRefused("A=5 : mgid=ff12:401b:6::1 ;", "P_Key 0x0005 or 0");
        assertRefused("A=5,ipoib : mgid=ff12:401b::1,mtu=2\n ALL ;", "mtu=4 and rate=3");
        assertRefused("x".repeat(400), "at most 256 characters");
    }

    private static void assertRefused(String text, String... parts) {
        assertThatThrownBy(() -> PartitionsConf.parse(text))
                .isInstanceOf(FormatException.class)
                .hasMessageContainingAll(parts);
    }
}
