/**
 * What an InfiniBand transport needs of a network card, and nothing more (spec 23 §1–§2): interfaces for providers, and
 * plain values. Touches nothing but the JDK.
 */
@NullMarked
package org.railyard.verbs;

import org.jspecify.annotations.NullMarked;
