package org.railyard.bench;

import java.util.List;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.peer.Iperf3;
import org.railyard.bench.peer.JeroMqPushPull;
import org.railyard.bench.peer.NioPingPong;
import org.railyard.bench.peer.NioStream;
import org.railyard.bench.peer.Sockperf;

/** Who takes part in {@code bench lnet}: the one place where contenders are listed. */
final class Lineup {
    private Lineup() {}

    /** Returns new contenders of all measures, in the order of the rows. */
    static List<Contender> all() {
        return List.of(
                new NioPingPong(NioPingPong.Waiting.BLOCKING),
                new NioPingPong(NioPingPong.Waiting.SELECTOR),
                new Sockperf(),
                NioStream.messages(),
                new JeroMqPushPull(),
                NioStream.oneRail(),
                Iperf3.oneRail(),
                NioStream.twoRails(),
                Iperf3.twoRails());
    }
}
