package org.railyard.softverbs.net;

import java.util.BitSet;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.Routing;
import org.railyard.softverbs.time.Timeline;

/** One event for each message, which travels at the speed of the slowest link on the path that the tables give. */
final class MessageTransmitter implements Transmitter {
    private final Timeline time;
    private final Subnet subnet;

    MessageTransmitter(Timeline time, Subnet subnet) {
        this.time = time;
        this.subnet = subnet;
    }

    @Override
    public long send(Transmission sent) {
        PortPair route = sent.route();
        Transit transit = route.transit(subnet);
        long left = sent.earliest();
        if (sent.kind() == TrafficKind.DATA) {
            left = route.from().occupy(left, transit.bytesNanos(sent.bytes()));
        }
        long there = Math.max(
                sent.floor(), left + transit.delayNanos() + sent.verdict().delayNanos());
        sent.departure().run();
        if (!transit.arrives() || sent.isLostAtOnce()) {
            sent.loss().run();
            return there;
        }
        for (int copy = 0; copy < sent.copies(); copy++) {
            time.at(there, () -> arrive(sent, transit));
        }
        return there;
    }

    private void arrive(Transmission sent, Transit then) {
        // What is on its way when its path breaks is lost; answers and managers are too quick for that.
        boolean pathHolds = sent.kind() != TrafficKind.DATA
                || then.epoch() == subnet.epoch()
                || sent.route().transit(subnet).arrives();
        (pathHolds ? sent.arrival() : sent.loss()).run();
    }

    @Override
    public void linksChanged(BitSet ports, boolean up) {
        // The subnet knows.
    }

    @Override
    public void rateChanged(int port, int lanes, LinkSpeed speed) {
        // The subnet knows.
    }

    @Override
    public void rerouted(Routing routing) {
        // The subnet knows.
    }
}
