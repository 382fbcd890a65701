def fahrenheit(celsius: float) -> float:
    """Degrees Celsius in degrees Fahrenheit."""
    return celsius * 9 / 5 + 32


if __name__ == "__main__":
    print(fahrenheit(11.5))
