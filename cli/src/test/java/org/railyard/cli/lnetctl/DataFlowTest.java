package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.base.Errno;
import org.railyard.base.text.DocReader;
import org.railyard.base.text.YamlText;
import org.railyard.control.BondOperation;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DlcException;
import org.railyard.control.GlobalOperation;
import org.railyard.control.NetOperation;
import org.railyard.control.Operation;
import org.railyard.control.PeerOperation;
import org.railyard.control.RouteOperation;
import org.railyard.control.StatsOperation;
import org.railyard.control.UdspOperation;
import org.railyard.control.node.NodeDlc;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Requirement;

/**
 * The way of a request (spec 13, mrx-023): through the interface into LNet's structures and a return code; what is
 * asked comes back as YAML.
 */
final class DataFlowTest {
    private static final Nid OWN = Nid.parse("127.99.0.11@tcp");
    private static final Nid PEER = Nid.parse("127.99.0.12@tcp");

    private static NetOperation.Add addNet(String... interfaces) {
        return new NetOperation.Add(
                "tcp", List.of(interfaces), List.of(), null, null, 16, null, null, null, null, null, false);
    }

    private static LNet configured(World world) {
        world.run("lnet configure");
        LNet lnet = ((NodeDlc) world.dlc("guest1")).lnet();
        if (lnet == null) {
            throw new AssertionError("LNet does not run");
        }
        return lnet;
    }

    @Test
    @Requirement({"mrx-023", "cfg-015"})
    void requestsFillTheStructuresOfLnetAndReturnNothing() throws IOException {
        try (World world = new World()) {
            LNet lnet = configured(world);
            List<Operation> requests = List.of(
                    addNet("eth0", "eth1"),
                    new PeerOperation.Add(PEER.toString(), "127.99.1.12@tcp", false, false),
                    new RouteOperation.Add("tcp9", PEER.toString(), 2, 1),
                    new UdspOperation.Add("tcp", null, null, 0L, null, null),
                    new BondOperation.Add("a", "local", OWN.toString(), "ordered"),
                    new GlobalOperation.Set("numa_range", "7"));
            for (Operation request : requests) {
                assertThat(world.dlc("guest1").execute(request))
                        .as(request.toString())
                        .isEmpty();
            }
            assertThat(lnet.nis()).extracting(NiInfo::nid).containsExactly(OWN, Nid.parse("127.99.1.11@tcp"));
            assertThat(lnet.inventory().tuning(OWN).net().peerCredits()).isEqualTo(16);
            assertThat(lnet.peers())
                    .singleElement()
                    .satisfies(peer -> assertThat(peer.isConfigured()).isTrue())
                    .extracting(PeerInfo::nis, InstanceOfAssertFactories.LIST)
                    .hasSize(2);
            assertThat(lnet.routes().list())
                    .singleElement()
                    .extracting(RouteInfo::hops, RouteInfo::priority)
                    .containsExactly(2, 1);
            assertThat(lnet.selection().udsp()).hasSize(1);
            assertThat(lnet.bonds().list()).hasSize(1);
            assertThat(lnet.settings().get(Tunable.NUMA_RANGE)).isEqualTo(7);
        }
    }

    private static List<Map.Entry<Operation, Errno>> refusals() {
        return List.of(
                Map.entry(addNet("eth0"), Errno.EEXIST),
                Map.entry(addNet("eth7"), Errno.ENETDOWN),
                Map.entry(new NetOperation.Delete("tcp", List.of(), List.of("127.99.0.99@tcp")), Errno.ENODEV),
                Map.entry(new NetOperation.Delete("tcp1", List.of(), List.of(OWN.toString())), Errno.EINVAL),
                Map.entry(new NetOperation.Delete(null, List.of("eth9"), List.of(OWN.toString())), Errno.EINVAL),
                Map.entry(new PeerOperation.Delete("127.99.0.99@tcp", null, false), Errno.ENOENT),
                Map.entry(new RouteOperation.Add("tcp9", "127.99.0.12@tcp8", null, null), Errno.EHOSTUNREACH),
                Map.entry(new UdspOperation.Delete(3, false), Errno.ENOENT),
                Map.entry(new BondOperation.Delete("a", null), Errno.ENOENT),
                Map.entry(new GlobalOperation.Set("udsp_before_health", "7"), Errno.EINVAL));
    }

    @Test
    @Requirement("mrx-023")
    void aRefusalHasTheReturnCodeAndChangesNothing() throws IOException {
        try (World world = new World()) {
            configured(world);
            world.dlc("guest1").execute(addNet("eth0"));
            String before = world.run("export --backup").out();
            for (Map.Entry<Operation, Errno> each : refusals()) {
                DlcException refusal = refusal(world, each.getKey());
                assertThat(refusal.failure().errno())
                        .as(each.getKey() + ": " + refusal.getMessage())
                        .isEqualTo(each.getValue().status());
                assertThat(refusal.failure().verb()).isEqualTo(each.getKey().verb());
            }
            assertThat(world.run("export --backup").out()).isEqualTo(before);
        }
    }

    private static DlcException refusal(World world, Operation operation) {
        try {
            world.dlc("guest1").execute(operation);
        } catch (DlcException e) {
            return e;
        }
        throw new AssertionError(operation + " was not refused");
    }

    private static List<Operation> queries() {
        return List.of(
                new NetOperation.Show(null, 3),
                new PeerOperation.Show(null, 3, 0),
                new RouteOperation.Show(null, null, null, null, 1),
                new UdspOperation.Show(null),
                new BondOperation.Show(null),
                new GlobalOperation.Show(true),
                new StatsOperation.Show(),
                new ConfigOperation.Export(true));
    }

    @ParameterizedTest
    @MethodSource("queries")
    @Requirement({"mrx-023", "cfg-010", "cfg-015"})
    void whatIsAskedForIsFormattedAsYaml(Operation query) throws IOException {
        try (World world = new World()) {
            configured(world);
            world.dlc("guest1").execute(addNet("eth0"));
            world.run("peer add --prim_nid " + PEER);
            world.run("route add --net tcp9 --gateway " + PEER);
            world.run("udsp add --src tcp --priority 0");
            world.run("bond add --name a --type local --nid " + OWN);
            Map<String, Object> answer = world.dlc("guest1").execute(query);
            assertThat(answer).isNotEmpty();
            String yaml = YamlText.of(answer);
            assertThat(DocReader.mapping(yaml).toString()).isEqualTo(answer.toString());
        }
    }
}
