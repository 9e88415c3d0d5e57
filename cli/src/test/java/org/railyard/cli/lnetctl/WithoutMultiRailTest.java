package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.testkit.Requirement;

/** The multi-rail tool on a node that is not multi-rail. */
final class WithoutMultiRailTest {
    /** In the form in which nodes with one NI of a net have always been configured. */
    private static final String SINGLE_RAIL = """
        net:
            - net type: tcp
              interfaces:
                  0: eth0
            - net type: tcp1
              local NI(s):
                - interfaces:
                      0: eth1
        peer:
            - primary nid: 127.99.0.12@tcp
              Multi-Rail: False
        route:
            - net: tcp5
              gateway: 127.99.0.12@tcp
              hop: 1
        global:
            discovery: 0
            retry_count: 3
            transaction_timeout: 80
        buffers: {tiny: 600}
        """;

    private World world = make();

    private static World make() {
        try {
            return new World(Settings.DEFAULT.with(Tunable.MULTI_RAIL, 0).with(Tunable.DISCOVERY, 0));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void configure() {
        assertThat(world.run("lnet configure").exit()).isZero();
        assertThat(world.run("net add --net tcp --if eth0").exit()).isZero();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private String backup() {
        return world.run("export --backup").out();
    }

    @ParameterizedTest
    @Requirement({"bck-005", "bck-010"})
    @ValueSource(
            strings = {
                "net add --net tcp --if eth1",
                "net add --net tcp2 --if eth0,eth1",
                "peer add --prim_nid 10.0.0.5@tcp",
                "peer add --prim_nid 10.0.0.5@tcp --nid 10.0.0.6@tcp",
                "udsp add --src tcp --priority 0",
                "set discovery 1"
            })
    void whatNeedsMultiRailIsRefusedAndChangesNothing(String line) {
        String before = backup();
        World.Result refused = world.run(line);
        assertThat(refused.exit()).isIn(234, 256 - 95);
        assertThat(refused.err()).contains("errno: -95", "needs multi-rail, which this node was started without");
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    @Requirement("bck-010")
    void aFileThatNeedsItIsRefusedAsAWhole() {
        String before = backup();
        World.Result refused = world.run("guest1", List.of("import"), """
            global: {retry_count: 5}
            net: [{net type: tcp1, interfaces: {0: eth0}}]
            peer: [{primary nid: 10.0.0.5@tcp, peer ni: [{nid: 10.0.0.6@tcp}]}]
            """);
        assertThat(refused.exit()).isEqualTo(234);
        assertThat(refused.err()).contains("errno: -95", "stdin:3:22: a multi-rail peer needs multi-rail");
        assertThat(backup()).isEqualTo(before);
    }

    @Test
    void discoveryThatCanNotBeResetHoldsUpNoOtherDeletion() {
        World.Result deleted = world.run("guest1", List.of("import", "--del"), """
            global: {discovery: 0}
            net: [{net type: tcp, interfaces: {0: eth0}}]
            """);
        assertThat(deleted.exit()).isEqualTo(234);
        assertThat(deleted.err()).contains("errno: -95", "stdin: discovery needs multi-rail");
        assertThat(world.run("net show").out()).doesNotContain("eth0");
    }

    @Test
    @Requirement("bck-015")
    void whatDoesNotNeedItWorksAsEver() {
        world.run("guest2", List.of("lnet", "configure"), "");
        world.run("guest2", List.of("net", "add", "--net", "tcp", "--if", "eth0"), "");
        world.run("lnet unconfigure");
        world.run("lnet configure");
        assertThat(world.run("guest1", List.of("import"), SINGLE_RAIL).err()).isEmpty();
        assertThat(world.run("peer add --prim_nid 10.0.0.7@tcp --non_mr").exit())
                .isZero();
        assertThat(world.run("net show").out()).contains("127.99.0.11@tcp", "127.99.1.11@tcp1");
        assertThat(world.run("peer show --nid 10.0.0.7@tcp").out()).contains("Multi-Rail: false");
        String backup = backup();
        world.run("lnet unconfigure");
        world.run("lnet configure");
        assertThat(world.run("guest1", List.of("import"), backup).err()).isEmpty();
        assertThat(backup()).isEqualTo(backup);
        World.Result ping = world.run("ping 127.99.0.12@tcp");
        assertThat(ping.exit()).as(ping.out() + ping.err()).isZero();
        assertThat(ping.out()).contains("Multi-Rail: false", "nid: 127.99.0.12@tcp");
    }
}
