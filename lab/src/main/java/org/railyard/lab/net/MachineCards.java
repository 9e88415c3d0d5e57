package org.railyard.lab.net;

import org.railyard.lnet.lnd.LndProvider;

/**
 * The cards of a machine for a network that is simulated elsewhere: they are told what becomes of the machine and of
 * its devices that are such cards.
 */
public interface MachineCards {
    /** Returns what makes the transport for the nets of these cards. */
    LndProvider transport();

    /** The link of a device went down or came up. */
    void link(SimDevice device, boolean up);

    /** A device fails, so that its node is told and nothing passes, or works again. */
    void work(SimDevice device, boolean works);

    /** The link of a device goes on with one lane, or with all that it has. */
    void degrade(SimDevice device, boolean begins);

    /** The machine takes so long, ns, over everything that arrives. */
    void slow(long nanos);

    /** The connections between a device and one of another machine break. */
    void reset(SimDevice own, SimDevice other);

    /** The node on the machine begins to run, or is gone. */
    void power(SimMachine.Power power);
}
