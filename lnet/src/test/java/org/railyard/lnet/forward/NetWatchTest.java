package org.railyard.lnet.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.nid.Net;

class NetWatchTest {
    private static final long WINDOW = 50;

    private final LocalNet near = new LocalNet(Net.TCP, NetTunables.DEFAULT);
    private final LocalNet far = new LocalNet(Net.parse("tcp1"), NetTunables.DEFAULT);
    private final List<LocalNet> nets = List.of(near, far);

    @Test
    void aNetThatNobodyPingedFromIsSilent() {
        assertThat(NetWatch.look(nets, 0, WINDOW)).isTrue();
        assertThat(near.silent).isTrue();
        assertThat(far.silent).isTrue();
        assertThat(NetWatch.look(nets, 1, WINDOW)).as("that is no news").isFalse();
    }

    @Test
    void aNetIsSilentAgainWhenTheWindowIsOver() {
        NetWatch.look(nets, 0, WINDOW);
        assertThat(NetWatch.heard(near, 100)).as("it was silent").isTrue();
        assertThat(NetWatch.heard(near, 101)).isFalse();
        assertThat(NetWatch.look(nets, 101 + WINDOW - 1, WINDOW)).isFalse();
        assertThat(near.silent).isFalse();
        assertThat(far.silent).isTrue();
        assertThat(NetWatch.look(nets, 101 + WINDOW, WINDOW)).isTrue();
        assertThat(near.silent).isTrue();
    }

    @Test
    void atTheEndNoNetIsSilent() {
        NetWatch.look(nets, 0, WINDOW);
        NetWatch.heard(far, 1);
        assertThat(NetWatch.end(nets)).as("the first one was").isTrue();
        assertThat(near.silent).isFalse();
        assertThat(NetWatch.end(nets)).isFalse();
    }
}
