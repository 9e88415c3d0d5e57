package org.railyard.lab.observe;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** Is told what goes between a stack and its LND; must not change anything. */
public interface LndWatch {
    /** The stack hands a message over; the LND has not answered yet. */
    default void sending(NodeRun life, LndNi ni, LndMessage message) {}

    /** The LND did not take a message. */
    default void refused(NodeRun life, LndNi ni, LndMessage message, int status) {}

    /** The LND gives a message back; the stack has not seen it yet. */
    default void completing(NodeRun life, LndMessage message, int status, HealthStatus health) {}

    /** A header arrived; the stack has not seen it yet. */
    default void arriving(NodeRun life, LndNi ni, LNetHeader header, Nid from) {}

    /** The stack refused a header. */
    default void unwanted(NodeRun life, LndNi ni, LNetHeader header, int status) {}

    /** The stack wants the payload behind a header: into a message, or thrown away. */
    default void receiving(NodeRun life, LndNi ni, @Nullable LndMessage message, int mlen) {}

    /** The stack made the REPLY that a peer is to write; the LND has it until it gives it back. */
    default void expecting(NodeRun life, LndNi ni, LndMessage reply) {}

    /** The LND tells what happened to a device. */
    default void device(NodeRun life, LndNi ni, DeviceEvent event) {}
}
