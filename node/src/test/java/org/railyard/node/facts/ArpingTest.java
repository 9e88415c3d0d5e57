package org.railyard.node.facts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.doctor.HostFacts.Holder;
import org.railyard.doctor.HostFacts.Way.Kind;

class ArpingTest {
    @Test
    void aReplyHasTheHardwareAddressOfTheOtherMachine() {
        assertThat(Arping.read("""
            ARPING 10.0.0.1 from 0.0.0.0 eth0
            Unicast reply from 10.0.0.1 [02:42:AC:11:00:02]  0.652ms
            Sent 1 probes (1 broadcast(s))
            """, 1)).isEqualTo(new Holder(Kind.DEVICE, "02:42:AC:11:00:02"));
    }

    @Test
    void anotherProgramOfTheNameSaysNothing() {
        assertThat(Arping.read("ARPING 10.0.0.1\n60 bytes from 02:42:ac:11:00:02: index=0\n", 0)
                        .kind())
                .isEqualTo(Kind.UNKNOWN);
    }

    @Test
    void withoutAReplyTheExitCodeTellsWhetherItCouldAsk() {
        assertThat(Arping.read(
                        "ARPING 10.0.0.1 from 0.0.0.0 eth0\nSent 2 probes (2 broadcast(s))\nReceived 0 response(s)\n",
                        0))
                .isEqualTo(new Holder(Kind.NONE, ""));
        assertThat(Arping.read("arping: socket: Operation not\n permitted\n", 2))
                .isEqualTo(new Holder(
                        Kind.UNKNOWN, "because arping of iputils failed: arping: socket: Operation not permitted"));
    }
}
