package org.railyard.lnet.stack;

import org.railyard.lnet.model.LocalNi;

/** The parts of the stack, wired up. */
public final class Stack {
    private final Sender sender;
    private final Receiver receiver;
    private final Descriptors descriptors;
    private final Dispatcher dispatcher;
    private final Expiry expiry;
    private final FaultGate faults;
    private final Resender resender;
    private final FailureJudge judge;
    private final Forwarder forwarder;

    /**
     * Wires up a stack.
     *
     * @param node its state
     * @param loopback the NI of {@code 0@lo}
     */
    public Stack(Node node, LocalNi loopback) {
        Drops drops = new Drops(node);
        CreditGate credits = new CreditGate(node, drops);
        DelayedPuts delayed = new DelayedPuts(node, drops);
        judge = new FailureJudge(node);
        Launcher launcher = new Launcher(node, credits, loopback);
        forwarder = new Forwarder(node, drops, launcher);
        Completer completer = new Completer(node, drops, credits, delayed, judge, forwarder);
        dispatcher = new Dispatcher(node, completer, launcher, forwarder);
        sender = new Sender(node, launcher, dispatcher);
        receiver = new Receiver(node, drops, delayed, completer, launcher, forwarder, dispatcher);
        faults = new FaultGate(node, drops, dispatcher, receiver);
        descriptors = new Descriptors(node, delayed, completer, dispatcher);
        expiry = new Expiry(node, completer, delayed, dispatcher);
        resender = new Resender(node, credits, launcher, dispatcher);
    }

    /** Returns the sending side. */
    public Sender sender() {
        return sender;
    }

    /** Returns the receiving side. */
    public Receiver receiver() {
        return receiver;
    }

    /** Returns the maker of descriptors. */
    public Descriptors descriptors() {
        return descriptors;
    }

    /** Returns what takes messages back from transports. */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Returns what the fault rules do. */
    public FaultGate faults() {
        return faults;
    }

    /** Returns what ends messages and responses that are overdue. */
    public Expiry expiry() {
        return expiry;
    }

    /** Returns what sends again. */
    public Resender resender() {
        return resender;
    }

    /** Returns what passes messages of others on. */
    public Forwarder forwarder() {
        return forwarder;
    }

    /** Returns what knows of late failures. */
    public FailureJudge judge() {
        return judge;
    }
}
