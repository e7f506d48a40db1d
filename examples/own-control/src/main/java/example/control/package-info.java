/// A congestion control from outside of Verbena.
package example.control;
