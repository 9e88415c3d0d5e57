package org.railyard.lab.run;

import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;

/** An event that claims to be the last one, and of a kind. */
record LastEvent(Event event, EventKind kind) implements Event {
    @Override
    public Md md() {
        return event.md();
    }

    @Override
    public int status() {
        return event.status();
    }

    @Override
    public boolean unlinked() {
        return true;
    }

    @Override
    public long sequence() {
        return event.sequence();
    }

    @Override
    public MessageType messageType() {
        return event.messageType();
    }

    @Override
    public Nid targetNid() {
        return event.targetNid();
    }

    @Override
    public int targetPid() {
        return event.targetPid();
    }

    @Override
    public Nid initiatorNid() {
        return event.initiatorNid();
    }

    @Override
    public int initiatorPid() {
        return event.initiatorPid();
    }

    @Override
    public Nid sourceNid() {
        return event.sourceNid();
    }

    @Override
    public Nid senderNid() {
        return event.senderNid();
    }

    @Override
    public int portal() {
        return event.portal();
    }

    @Override
    public long matchBits() {
        return event.matchBits();
    }

    @Override
    public int rlength() {
        return event.rlength();
    }

    @Override
    public int mlength() {
        return event.mlength();
    }

    @Override
    public int offset() {
        return event.offset();
    }

    @Override
    public long hdrData() {
        return event.hdrData();
    }

    @Override
    public Event snapshot() {
        return this;
    }
}
