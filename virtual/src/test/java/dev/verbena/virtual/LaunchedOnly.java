package dev.verbena.virtual;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/// A test class that runs in a [Launch] only: it may fail on purpose, and a run of all tests must
/// not include it.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf("dev.verbena.virtual.Launch#isRunning")
@interface LaunchedOnly {}
