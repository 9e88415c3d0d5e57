package org.railyard.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private final EventQueue queue = new EventQueue();
    private final List<String> happened = new ArrayList<>();

    private SimEvent event(String name) {
        return new SimEvent() {
            @Override
            protected void run() {
                happened.add(name + "@" + queue.now());
            }
        };
    }

    private void runAll() {
        boolean more = true;
        while (more) {
            more = queue.runNext(1000);
        }
    }

    @Test
    void eventsHappenByTimeAndAtTheSameTimeInTheOrderOfScheduling() {
        queue.schedule(event("late"), 7);
        queue.schedule(event("first"), 5);
        queue.schedule(event("second"), 5);
        runAll();
        assertThat(happened).containsExactly("first@5", "second@5", "late@7");
        assertThat(queue.now()).isEqualTo(1000);
    }

    @Test
    void anEventMovesWhenScheduledAgainAndIsGoneWhenCancelled() {
        SimEvent moved = event("moved");
        SimEvent cancelled = event("cancelled");
        queue.schedule(moved, 3);
        queue.schedule(cancelled, 4);
        queue.schedule(event("fixed"), 5);
        queue.schedule(moved, 9);
        queue.cancel(cancelled);
        runAll();
        assertThat(happened).containsExactly("fixed@5", "moved@9");
    }

    @Test
    void thePastIsNow() {
        queue.at(10, () -> queue.schedule(event("late"), 2));
        runAll();
        assertThat(happened).containsExactly("late@10");
    }

    @Test
    void randomSchedulesMovesAndCancelsKeepTheOrder() {
        Random random = new Random(5);
        List<SimEvent> events = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            SimEvent event = new SimEvent() {
                @Override
                protected void run() {
                    happened.add(String.format("%04d", queue.now()));
                }
            };
            events.add(event);
            queue.schedule(event, random.nextInt(900));
        }
        int cancelled = 0;
        for (int i = 0; i < 2000; i++) {
            SimEvent event = events.get(random.nextInt(events.size()));
            if (random.nextInt(4) == 0) {
                cancelled += event.isScheduled() ? 1 : 0;
                queue.cancel(event);
            } else if (event.isScheduled()) {
                queue.schedule(event, random.nextInt(900));
            }
        }
        runAll();
        assertThat(happened).hasSize(3000 - cancelled).isSorted();
    }

    @Test
    void whatIsForThePresentComesAfterWhatWasScheduledForItBefore() {
        queue.at(10, () -> {
            queue.schedule(event("third"), 10);
            queue.schedule(event("fourth"), 3);
        });
        queue.schedule(event("second"), 10);
        queue.schedule(event("later"), 11);
        runAll();
        assertThat(happened).containsExactly("second@10", "third@10", "fourth@10", "later@11");
    }

    @Test
    void whatIsForThePresentMovesAndIsTakenBack() {
        SimEvent last = event("last");
        SimEvent later = event("later");
        SimEvent soonNow = event("now");
        SimEvent never = event("never");
        queue.schedule(soonNow, 20);
        queue.at(10, () -> {
            queue.schedule(last, 10);
            queue.schedule(later, 10);
            queue.schedule(never, 10);
            queue.schedule(soonNow, 10);
            queue.schedule(last, 10);
            queue.schedule(later, 12);
            queue.cancel(never);
            assertThat(never.isScheduled()).isFalse();
            assertThat(last.isScheduled()).isTrue();
        });
        runAll();
        assertThat(happened).containsExactly("now@10", "last@10", "later@12");
    }

    @Test
    void manyEventsOfOneMomentKeepTheirOrder() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            String name = "" + i;
            queue.at(0, () -> {
                happened.add(name + "@" + queue.now());
                queue.schedule(event("after " + name), 0);
            });
            expected.add(name + "@0");
        }
        for (int i = 0; i < 1000; i++) {
            expected.add("after " + i + "@0");
        }
        runAll();
        assertThat(happened).isEqualTo(expected);
    }

    private record Waiting(SimEvent event, long time, int order) {}

    /** Beside a model that looks through all events for the next one. */
    @Test
    void randomTurnsOfAllKindsAgreeWithASimpleModel() {
        Random random = new Random(7);
        List<SimEvent> ran = new ArrayList<>();
        List<SimEvent> events = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            events.add(new SimEvent() {
                @Override
                protected void run() {
                    ran.add(this);
                }
            });
        }
        List<Waiting> model = new ArrayList<>();
        for (int turn = 0; turn < 50_000; turn++) {
            SimEvent event = events.get(random.nextInt(events.size()));
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    queue.schedule(event, queue.now() + random.nextInt(6) - 3);
                    model.removeIf(each -> each.event == event);
                    model.add(new Waiting(event, event.time(), turn));
                }
                case 2 -> {
                    queue.cancel(event);
                    model.removeIf(each -> each.event == event);
                }
                default -> {
                    Waiting first = model.stream()
                            .min(Comparator.comparingLong(Waiting::time).thenComparingInt(Waiting::order))
                            .orElse(null);
                    if (first != null) {
                        assertThat(queue.runNext(first.time)).isTrue();
                        assertThat(queue.now()).isEqualTo(first.time);
                        assertThat(ran).containsExactly(first.event);
                        ran.clear();
                        model.remove(first);
                    }
                }
            }
        }
        assertThat(queue.happened()).isGreaterThan(5000);
    }
}
