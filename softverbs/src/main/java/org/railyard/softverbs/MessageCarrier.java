package org.railyard.softverbs;

import java.util.BitSet;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.Routing;

/** One event for each message, which travels at the speed of the slowest link on the path that the tables give. */
final class MessageCarrier implements Carrier {
    private final Timeline time;
    private final Subnet subnet;

    MessageCarrier(Timeline time, Subnet subnet) {
        this.time = time;
        this.subnet = subnet;
    }

    @Override
    public long carry(Shipment shipment) {
        PortPair way = shipment.way();
        Transit transit = way.transit(subnet);
        long left = shipment.earliest();
        if (shipment.kind() == Kind.DATA) {
            left = way.from().occupy(left, transit.bytesNanos(shipment.bytes()));
        }
        long there = Math.max(
                shipment.floor(),
                left + transit.delayNanos() + shipment.verdict().delayNanos());
        shipment.departure().run();
        if (!transit.arrives() || shipment.isLostAtOnce()) {
            shipment.loss().run();
            return there;
        }
        for (int copy = 0; copy < shipment.copies(); copy++) {
            time.at(there, () -> arrive(shipment, transit));
        }
        return there;
    }

    private void arrive(Shipment shipment, Transit then) {
        // What is on its way when its path breaks is lost; answers and managers are too quick for that.
        boolean pathHolds = shipment.kind() != Kind.DATA
                || then.epoch() == subnet.epoch()
                || shipment.way().transit(subnet).arrives();
        (pathHolds ? shipment.arrival() : shipment.loss()).run();
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
