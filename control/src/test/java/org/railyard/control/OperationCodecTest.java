package org.railyard.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.testkit.Requirement;

/** Operations over the wire. */
final class OperationCodecTest {
    private static List<String> paths() {
        return OperationCodec.paths();
    }

    @ParameterizedTest
    @MethodSource("paths")
    void whatSaysNothingIsReadAsThat(String path) {
        Operation operation = OperationCodec.decode(path, Map.of());
        assertThat(OperationCodec.pathOf(operation)).isEqualTo(path);
        assertThat(operation.verb()).isIn("add", "del", "set", "show", "manage", "configure");
        assertThat(OperationCodec.decode(path, OperationCodec.encode(operation)))
                .isEqualTo(operation);
    }

    @Test
    @Requirement({"dbg-080", "cfg-095"})
    void eachThingThatANodeCanDoHasAnOperation() {
        assertThat(paths())
                .contains("net/add", "net/delete", "net/set", "net/show", "peer/add", "peer/delete", "peer/show")
                .contains("udsp/add", "udsp/delete", "udsp/show", "route/add", "routing/show", "global/set")
                .contains("debug/ni", "debug/peer-at", "debug/sum-net", "debug/sum-peer", "debug/usage", "debug/conn")
                .contains("o2ibs/add", "o2ibs/delete", "o2ibs/show", "o2ibs/check", "o2ibs/routes", "net-status/show")
                .contains("stats/show", "stats/reset", "debug/recovery", "fault/add");
    }

    @Test
    void fieldsKeepTheirTypes() {
        NetOperation.Add add = new NetOperation.Add(
                "tcp", List.of("eth0[0,1]"), List.of(), null, 60, null, null, null, "[0]", 4, -1, true);
        Map<String, Object> fields = OperationCodec.encode(add);
        assertThat(fields.toString())
                .isEqualTo("{net=tcp, interfaces=[eth0[0,1]], peer_timeout=60, cpt=[0], conns_per_peer=4, tos=-1,"
                        + " bond=true}");
        assertThat(OperationCodec.decode("net/add", fields)).isEqualTo(add);
        assertThat(OperationCodec.decode("net/show", Map.of("net", "tcp", "level", "2")))
                .isEqualTo(new NetOperation.Show("tcp", 2));
    }

    @Test
    void mistakesAreTold() {
        assertThatThrownBy(() -> OperationCodec.decode("net/ad", Map.of()))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT))
                .hasMessageContaining("net/add");
        assertThatThrownBy(() -> OperationCodec.decode("net/show", Map.of("levl", 1)))
                .hasMessageContaining("no field 'levl'; it has net, level");
        assertThatThrownBy(() -> OperationCodec.decode("net/show", Map.of("level", "x")))
                .hasMessageContaining("level is 'x'; expected a whole number");
        assertThatThrownBy(() -> OperationCodec.decode("peer/add", Map.of("non_mr", "maybe")))
                .hasMessageContaining("expected true or false");
    }

    @Test
    void aFailureGoesThereAndBack() {
        Failure failure = new Failure("add", "net", -17, "it is there", List.of("f:1:2: x"));
        assertThat(Failure.ofDocument(failure.toDocument())).isEqualTo(failure);
        assertThat(Failure.ofDocument(Map.of("x", 1)).errno()).isEqualTo(Errno.EPROTO.status());
    }
}
