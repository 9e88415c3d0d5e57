package org.railyard.control.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.config.ni.Device;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;

/** Which device a net takes that names none. */
final class StartParametersTest {
    private static Device device(String name) {
        return new Device(name, true, false, List.of(InetAddress.ofLiteral("10.0.0.1")));
    }

    private static NiRequest chosen(NiRequest request, Device... devices) {
        return new StartParameters(Map.of(), List.of(devices)).chosen(request);
    }

    @Test
    void devicesOfContainersArePassedOver() {
        NiRequest any = new NiRequest(Net.TCP, null, null, NetTunables.DEFAULT, Map.of(), List.of());
        Device down = new Device("eth9", false, false, List.of(InetAddress.ofLiteral("10.0.0.9")));
        assertThat(chosen(any, device("docker0"), device("br-0123456789ab"), down, device("eth0"))
                        .interfaceName())
                .isEqualTo("eth0");
        assertThat(chosen(any, device("eth0"), device("docker0"))).isSameAs(any);
        assertThat(chosen(any, device("br-lan"), device("eth0"))).isSameAs(any);
        assertThat(chosen(any, device("docker0"))).as("there is nothing else").isSameAs(any);
        assertThat(chosen(any.withCpts(List.of(1)), device("docker0"), device("eth0"))
                        .cpts())
                .containsExactly(1);
        NiRequest named = NiRequest.ofInterface(Net.TCP, "docker0");
        assertThat(chosen(named, device("docker0"), device("eth0"))).isSameAs(named);
    }
}
